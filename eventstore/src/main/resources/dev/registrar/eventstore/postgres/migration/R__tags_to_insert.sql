set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.tags_to_insert;

-- The rows of the table "event_tags" for a group: one for each tag of the events that are appended.
create function ${flyway:defaultSchema}.tags_to_insert(
    head_before bigint,
    skipped int[], -- of verdicts; null: all requests are appended
    -- one entry an event
    requests int[],
    types text[],
    tag_arrays text[] -- arrays as text
) returns table (tag text, "position" bigint, type text)
    language sql
    stable -- the planner puts its text in the place of the call
as $$
    select
        unnest(event.tags::text[]),
        head_before + event.number - coalesce(skipped[event.request], 0),
        event.type
    from unnest(requests, types, tag_arrays) with ordinality event (request, type, tags, number)
    where skipped is null
    or skipped[event.request] is not null
$$;
