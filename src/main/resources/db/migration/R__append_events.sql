-- Appends a group of requests in one transaction and answers each with a verdict of its own. No request of a group may
-- match the condition of a later one, nor share its idempotency key: who makes the group sees to that.
--
-- Arrays are flat. A request's items are item_types_*[items_from : items_to] and so on; an event belongs to the request
-- whose number event_requests holds. Numbers count from 1.
--
-- Verdicts: appended, repeated, key-reused, replaced, conflict.
create or replace function ${flyway:defaultSchema}.append_events(
    -- one entry a request
    after_positions bigint[],
    items_from int[],
    items_to int[],
    basis_incarnations uuid[],
    basis_positions bigint[],
    basis_event_ids uuid[],
    keys text[],
    fingerprints text[],
    event_counts int[],
    -- one entry a query item, and the types and tags that they name
    item_types_from int[],
    item_types_to int[],
    item_tags_from int[],
    item_tags_to int[],
    item_types text[],
    item_tags text[],
    -- one entry an event, and the tags that they carry
    event_requests int[],
    event_ids uuid[],
    event_types text[],
    event_payloads text[],
    event_metadata text[],
    event_tags_from int[],
    event_tags_to int[],
    event_tags text[],
    -- for all
    recorded_at timestamptz,
    keys_expired_at timestamptz
) returns table (
    verdict text,
    first_position bigint,
    last_position bigint,
    conflict_item int,
    conflict_position bigint,
    conflict_type text
)
    language plpgsql
    volatile -- each statement must see what was committed while this one waited for the lock
as $$
#variable_conflict use_column
declare
    head bigint;
    current_incarnation uuid;
    verdicts text[];
    first_positions bigint[];
    last_positions bigint[];
    conflict_items int[];
    conflict_positions bigint[];
    conflict_types text[];
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'Events are appended at READ COMMITTED, not at %', current_setting('transaction_isolation')
            using errcode = 'DCB01', hint = 'A snapshot taken before the wait for the lock would be stale.';
    end if;

    -- One writer at a time, until it has committed: a statement of its own, so that the next one sees what the lock's
    -- holder before committed. The two numbers name this store among all users of advisory locks in the database.
    perform pg_advisory_xact_lock(1145258561, '${flyway:defaultSchema}.events'::regclass::oid::int);

    select store.incarnation, coalesce((select max(event.position) from ${flyway:defaultSchema}.events event), 0)
    into current_incarnation, head
    from ${flyway:defaultSchema}.store;

    with request as (
        select *
        from unnest(
            append_events.after_positions,
            append_events.items_from,
            append_events.items_to,
            append_events.basis_incarnations,
            append_events.basis_positions,
            append_events.basis_event_ids,
            append_events.keys,
            append_events.fingerprints,
            append_events.event_counts
        ) with ordinality given (
            after_position, items_from, items_to,
            basis_incarnation, basis_position, basis_event_id,
            key, fingerprint, event_count, number
        )
    ), judged as (
        select
            request.number,
            request.event_count,
            case
                when earlier.fingerprint = request.fingerprint then 'repeated'
                when earlier.fingerprint is not null then 'key-reused'
                when request.basis_incarnation <> current_incarnation or basis.lost then 'replaced'
                when conflict.item is not null then 'conflict'
                else 'appended'
            end as verdict,
            earlier.first_position,
            earlier.last_position,
            conflict.item,
            conflict.position,
            conflict.type
        from request
        left join lateral (
            select known.fingerprint, known.first_position, known.last_position
            from ${flyway:defaultSchema}.idempotency_keys known
            where known.key = request.key
            and known.recorded_at > append_events.keys_expired_at
        ) earlier on true
        cross join lateral (
            select request.basis_position > 0 and request.basis_event_id is distinct from (
                select event.id
                from ${flyway:defaultSchema}.events event
                where event.position = request.basis_position
            ) as lost
        ) basis
        left join lateral (
            select item.number as item, match.position, match.type
            from generate_series(request.items_from, request.items_to) item (number)
            cross join lateral ${flyway:defaultSchema}.first_match(
                append_events.item_types[
                    append_events.item_types_from[item.number] : append_events.item_types_to[item.number]
                ],
                append_events.item_tags[
                    append_events.item_tags_from[item.number] : append_events.item_tags_to[item.number]
                ],
                request.after_position
            ) match
            order by item.number
            limit 1
        ) conflict on true
    ), placed as (
        select
            *,
            head + sum(case when verdict = 'appended' then event_count else 0 end) over (order by number) as reached
        from judged
    )
    select
        array_agg(verdict order by number),
        array_agg(case verdict when 'appended' then reached - event_count + 1 else first_position end order by number),
        array_agg(case verdict when 'appended' then reached else last_position end order by number),
        array_agg(item - append_events.items_from[number] order by number),
        array_agg(position order by number),
        array_agg(type order by number)
    into verdicts, first_positions, last_positions, conflict_items, conflict_positions, conflict_types
    from placed;

    with appended as (
        insert into ${flyway:defaultSchema}.events (position, recorded_at, id, type, tags, payload, metadata)
        select
            head + row_number() over (order by event.number),
            append_events.recorded_at,
            event.id,
            event.type,
            append_events.event_tags[event.tags_from : event.tags_to],
            event.payload,
            event.metadata
        from unnest(
            append_events.event_requests,
            append_events.event_ids,
            append_events.event_types,
            append_events.event_payloads,
            append_events.event_metadata,
            append_events.event_tags_from,
            append_events.event_tags_to
        ) with ordinality event (request, id, type, payload, metadata, tags_from, tags_to, number)
        where verdicts[event.request] = 'appended'
        returning position, type, tags
    )
    insert into ${flyway:defaultSchema}.event_tags (tag, position, type)
    select tag.value, appended.position, appended.type
    from appended
    cross join lateral unnest(appended.tags) tag (value);

    -- A key that is still there has expired, or its request would not have been appended.
    insert into ${flyway:defaultSchema}.idempotency_keys (key, fingerprint, first_position, last_position, recorded_at)
    select given.key, given.fingerprint, given.first_position, given.last_position, append_events.recorded_at
    from unnest(
        append_events.keys, append_events.fingerprints, verdicts, first_positions, last_positions
    ) given (key, fingerprint, verdict, first_position, last_position)
    where given.key is not null
    and given.verdict = 'appended'
    on conflict on constraint idempotency_keys_pk do update set
        fingerprint = excluded.fingerprint,
        first_position = excluded.first_position,
        last_position = excluded.last_position,
        recorded_at = excluded.recorded_at;

    return query
    select *
    from unnest(verdicts, first_positions, last_positions, conflict_items, conflict_positions, conflict_types);
end
$$;
