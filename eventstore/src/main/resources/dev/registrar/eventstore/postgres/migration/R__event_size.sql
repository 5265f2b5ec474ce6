set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.event_size;

-- The size of an event in bytes, by which reads bound their pages, and so the memory of the reader: its payload, metadata and actor
-- in UTF-8, its tags as an array in memory (16 bytes without tags; else 24, and for each tag 4 and its text, rounded up to a
-- multiple of 4), and 256 for the objects.
--
-- The append stores it in the column "size". The tags must not come from a stored row: pg_column_size would return their size on
-- disk, which may be compressed.
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
