-- The rows of the table "event_tags" for a group: one for each tag of the events that are appended.
create function ${flyway:defaultSchema}.tags_to_insert_3(
    head_before bigint,
    skipped int[], -- of verdicts_2; null: all requests are appended
    -- one entry an event
    requests int[],
    types text[],
    -- one entry a tag of an event
    tag_events int[],
    tags text[]
) returns table (tag text, "position" bigint, type text)
    language sql
    stable -- the planner puts its text in the place of the call
as $$
    select
        tag.value,
        head_before + tag.event - coalesce(skipped[requests[tag.event]], 0),
        types[tag.event]
    from unnest(tags, tag_events) tag (value, event)
    where skipped is null
    or skipped[requests[tag.event]] is not null
$$;
