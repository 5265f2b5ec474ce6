set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.events_to_insert;

-- The rows of the table "events" for a group: the events of the requests that are appended, with their positions.
create function ${flyway:defaultSchema}.events_to_insert(
    head_before bigint,
    skipped int[], -- of verdicts; null: all requests are appended
    actors text[], -- one entry a request; null: unknown
    -- one entry an event
    requests int[],
    ids uuid[],
    types text[],
    tag_arrays text[], -- arrays as text
    payloads text[],
    metadata_texts text[]
) returns table (
    "position" bigint,
    id uuid,
    size integer,
    type text,
    tags text[],
    payload text,
    metadata text,
    actor text
)
    language sql
    stable -- the planner puts its text in the place of the call
as $$
    select
        head_before + event.number - coalesce(skipped[event.request], 0),
        event.id,
        ${flyway:defaultSchema}.event_size(event.tags::text[], event.payload, event.metadata, actors[event.request]),
        event.type,
        event.tags::text[],
        event.payload,
        event.metadata,
        actors[event.request]
    from unnest(requests, ids, types, tag_arrays, payloads, metadata_texts) with ordinality
        event (request, id, type, tags, payload, metadata, number)
    where skipped is null
    or skipped[event.request] is not null
$$;
