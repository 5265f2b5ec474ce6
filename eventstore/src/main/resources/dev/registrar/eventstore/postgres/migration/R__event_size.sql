set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.event_size;

-- The size of an event in bytes, by which reads bound their pages, and so the memory of the reader: its payload, metadata and actor
-- in UTF-8, the array of its tags in memory (8 bytes for each tag more than its text, and 20 to 24), and 256 for the objects.
--
-- The append stores it in the column "size". The arguments must not come from a stored row: pg_column_size would return the
-- compressed size of the tags.
create function ${flyway:defaultSchema}.event_size(
    tags text[],
    payload text,
    metadata text,
    actor text
) returns integer
    language sql
    stable -- the planner puts its text in the place of the call
as $$
    select 256 + pg_column_size(tags) + octet_length(payload) + octet_length(metadata) + coalesce(octet_length(actor), 0)
$$;
