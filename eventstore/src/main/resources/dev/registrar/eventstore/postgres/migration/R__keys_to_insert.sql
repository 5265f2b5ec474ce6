set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.keys_to_insert;

-- The rows of the table "idempotency_keys" for a group: one for each key under which events are appended.
create function ${flyway:defaultSchema}.keys_to_insert(
    head_before bigint,
    skipped int[], -- of verdicts; null: all requests are appended
    -- one entry an idempotency key
    requests int[],
    first_events int[], -- numbers, from 1, of the request's first and last event
    last_events int[],
    keys text[],
    fingerprints text[]
) returns table (key text, fingerprint text, first_position bigint, last_position bigint)
    language sql
    stable -- the planner puts its text in the place of the call
as $$
    select
        given.key,
        given.fingerprint,
        head_before + given.first_event - coalesce(skipped[given.request], 0),
        head_before + given.last_event - coalesce(skipped[given.request], 0)
    from unnest(requests, first_events, last_events, keys, fingerprints)
        given (request, first_event, last_event, key, fingerprint)
    where given.last_event >= given.first_event
    and (skipped is null or skipped[given.request] is not null)
$$;
