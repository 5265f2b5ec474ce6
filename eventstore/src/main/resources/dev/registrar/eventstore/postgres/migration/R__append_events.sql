set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.append_events;

-- Appends a group of requests in one transaction and returns a verdict on each.
--
-- The conditions are judged against the events in the store, not against the events of the group. So for any two requests of a
-- group the caller ensures one of these: the events of the earlier request do not match the condition of the later one; or the
-- later request continues the earlier one, directly or through others (a chain: each request continues the one before it, and is
-- superseded unless that one was appended); or the earlier request has no events and asks for its verdict only. Two requests of
-- a group never have the same idempotency key.
--
-- A search for conflicts may take long, and other appends wait for the store's lock meanwhile. So the search under the lock is
-- bounded (quick_matches). A request that it cannot judge is suspected, and none of its events is appended. The caller then calls
-- check_conditions, and sends the request again with the head up to which that function searched and the matches that it found.
-- The second call searches later events only: positions are assigned under the lock, so no event is added below that head.
--
-- A request may hold resources until the commit (lock_resources). Their locks are taken before the store's lock, so that no session
-- waits for a resource while all others wait for that session.
--
-- Verdicts: appended, repeated, key-reused, replaced, conflict, superseded, suspected, resource-held. A chain is suspected as a
-- whole. If all requests are appended, as in most groups, the columns of verdicts are null: the positions follow from head_before.
-- If no request can be appended because of its resources, they are empty, and the store's lock is not taken.
--
-- The caller leaves out the parts that a group does not have: each array costs 1 to 2 µs.
create function ${flyway:defaultSchema}.append_events(
    -- one entry a request
    event_counts int[],
    continues boolean[],
    actors text[], -- as the column "actor"; null: unknown
    -- one entry an event
    event_requests int[],
    event_ids uuid[],
    event_types text[],
    event_tags text[], -- arrays as text
    event_payloads text[],
    event_metadata text[],
    recorded_at timestamptz, -- null: the time of this server
    -- one entry a head; null: there is none
    head_incarnations uuid[] default null,
    head_positions bigint[] default null,
    head_event_ids uuid[] default null,
    -- one entry a query item; null: there is none
    item_requests int[] default null,
    item_afters bigint[] default null,
    item_heads int[] default null, -- the number, from 1, of the head that its request's decision rests on; 0: none
    item_first_tags text[] default null,
    item_second_tags text[] default null,
    item_tags text[] default null, -- arrays as text: null for items of one or two tags
    item_types text[] default null, -- arrays as text
    -- one entry a query item; null: none was checked before
    item_checks int[] default null, -- the number, from 1, of the head up to which the item was checked; 0: it was not
    item_matches bigint[] default null, -- the position of the first event that the item matches up to there; 0: there is none
    -- one entry an idempotency key; null: there is none
    key_requests int[] default null,
    key_first_events int[] default null, -- numbers, from 1, of the request's first and last event
    key_last_events int[] default null,
    keys text[] default null,
    fingerprints text[] default null,
    keys_retention interval default null, -- how long a key is kept, by the database's clock
    -- one entry a resource that a request holds until the commit; null: there is none
    resource_requests int[] default null,
    resources text[] default null,
    resource_wait int default null, -- milliseconds to wait for all of them; null: a request whose resource is held is not appended
    out head_before bigint,
    out verdicts text[],
    out first_positions bigint[],
    out last_positions bigint[],
    out conflict_items int[],
    out conflict_positions bigint[],
    out conflict_types text[]
)
    language plpgsql
    volatile -- each statement must see what was committed during the wait for the lock
as $$
#variable_conflict use_column
declare
    held int[] := '{}'; -- the requests whose resources other sessions hold
    lock_held boolean;
    stamp timestamptz; -- the time of the events
    last_addition bigint; -- where tags were added to stored events; null: they never were
    read_ats bigint[]; -- the heads that the decisions on items rest on
    lost bigint[] := '{}';
    aboves bigint[];
    known_matches bigint[];
    candidates bigint[];
    matched_items int[];
    matched_positions bigint[];
    matched_types text[];
    open_items int[]; -- the items that quick_matches could not judge
    unusual boolean;
    keys_recorded_at timestamptz;
    keys_expired_at timestamptz; -- keys recorded up to this time have expired
    skipped int[]; -- how many events of the requests before are not appended; null for a request that is not
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'Events are appended at READ COMMITTED, not at %', current_setting('transaction_isolation')
            using errcode = 'DCB01', hint = 'A snapshot taken before the wait for the lock would be stale.';
    end if;

    if append_events.resources is not null then
        held := ${flyway:defaultSchema}.lock_resources(
            append_events.resource_requests, append_events.resources, append_events.resource_wait
        );
        if held @> array(select generate_series(1, cardinality(append_events.event_counts))) then
            verdicts := '{}';
            return;
        end if;
    end if;

    -- One writer at a time, until its commit. The lock is a statement of its own, so that the next statement sees the commit of
    -- the previous writer. PostgreSQL evaluates an assignment of this kind without a query.
    lock_held := ${flyway:defaultSchema}.lock_store();
    select
        coalesce(head.position, 0),
        -- Times never run backwards along positions, also if the server's clock was set back.
        greatest(coalesce(append_events.recorded_at, clock_timestamp()), head.recorded_at),
        (select max(addition.position) from ${flyway:defaultSchema}.tag_additions addition)
    into head_before, stamp, last_addition
    from (select) one
    left join lateral (
        select event.position, event.recorded_at
        from ${flyway:defaultSchema}.events event
        order by event.position desc
        limit 1
    ) head on true;

    if cardinality(append_events.head_positions) > 0 then
        lost := array(
            select known.head
            from ${flyway:defaultSchema}.lost_heads(
                append_events.head_incarnations, append_events.head_positions, append_events.head_event_ids
            ) known
        );
    end if;

    if cardinality(append_events.item_requests) > 0 then
        aboves := append_events.item_afters;
        if append_events.item_checks is not null then
            -- A check up to a head that the store has lost was made in another history, and does not count.
            select
                array_agg(
                    case when item.counts then greatest(item.after, append_events.head_positions[item.head]) else item.after end
                    order by item.number
                ),
                array_agg(case when item.counts then nullif(item.match, 0) end order by item.number)
            into aboves, known_matches
            from (
                select given.*, given.head > 0 and given.head <> all (lost) as counts
                from unnest(append_events.item_afters, append_events.item_checks, append_events.item_matches)
                    with ordinality given (after, head, match, number)
            ) item;
        end if;
        candidates := array(
            select perhaps.item
            from ${flyway:defaultSchema}.items_perhaps_matched(
                append_events.item_first_tags, append_events.item_second_tags, append_events.item_types, aboves
            ) perhaps
            where known_matches is null
            or known_matches[perhaps.item] is null
        );
        if candidates <> '{}' or known_matches is not null then
            select
                array_agg(match.item) filter (where match.position is not null),
                array_agg(match.position) filter (where match.position is not null),
                array_agg(match.type) filter (where match.position is not null),
                array_agg(match.item) filter (where match.position is null)
            into matched_items, matched_positions, matched_types, open_items
            from ${flyway:defaultSchema}.conflicts(
                candidates,
                append_events.item_first_tags,
                append_events.item_second_tags,
                append_events.item_tags,
                append_events.item_types,
                aboves,
                known_matches
            ) match;
        end if;
    end if;

    if last_addition > any (append_events.item_afters) then
        read_ats := array(
            select case
                when item.head > 0 and item.head <> all (lost)
                then greatest(item.after, append_events.head_positions[item.head])
                else item.after
            end
            from unnest(append_events.item_afters, append_events.item_heads)
                with ordinality item (after, head, number)
            order by item.number
        );
        select
            matched_items || array_agg(missed.item),
            matched_positions || array_agg(missed.position),
            matched_types || array_agg(missed.type)
        into matched_items, matched_positions, matched_types
        from ${flyway:defaultSchema}.tags_added_since(
            append_events.item_first_tags,
            append_events.item_second_tags,
            append_events.item_tags,
            read_ats,
            array(
                select case when item.checked > 0 and item.checked <> all (lost) then item.above else item.read_at end
                from unnest(aboves, read_ats, append_events.item_checks)
                    with ordinality item (above, read_at, checked, number)
                order by item.number
            )
        ) missed;
    end if;

    -- The clocks of instances may differ, by days if one is wrong: so the database's clock alone decides when a key expires.
    keys_recorded_at := clock_timestamp();
    keys_expired_at := keys_recorded_at - append_events.keys_retention;

    unusual := matched_items is not null or open_items is not null or lost <> '{}' or held <> '{}';
    if not unusual and cardinality(append_events.keys) > 0 then
        unusual := exists (
            select
            from unnest(append_events.keys) given (key)
            where ( -- not "exists", which the planner may answer with a hash of the whole table
                select true
                from ${flyway:defaultSchema}.idempotency_keys known
                where known.key = given.key
                and known.recorded_at > keys_expired_at
            )
        );
    end if;

    if unusual then
        select
            judged.verdicts,
            judged.first_positions,
            judged.last_positions,
            judged.conflict_items,
            judged.conflict_positions,
            judged.conflict_types,
            judged.skipped
        into verdicts, first_positions, last_positions, conflict_items, conflict_positions, conflict_types, skipped
        from ${flyway:defaultSchema}.verdicts(
            head_before,
            append_events.event_counts,
            append_events.continues,
            held,
            append_events.item_requests,
            append_events.item_heads,
            lost,
            matched_items,
            matched_positions,
            matched_types,
            open_items,
            append_events.key_requests,
            append_events.keys,
            append_events.fingerprints,
            keys_expired_at
        ) judged;
    end if;

    insert into ${flyway:defaultSchema}.events (position, recorded_at, id, size, type, tags, payload, metadata, actor)
    select
        head_before + event.number - coalesce(skipped[event.request], 0),
        stamp,
        event.id,
        ${flyway:defaultSchema}.event_size(
            event.tags::text[], event.payload, event.metadata, append_events.actors[event.request]
        ),
        event.type,
        event.tags::text[],
        event.payload,
        event.metadata,
        append_events.actors[event.request]
    from unnest(
        append_events.event_requests,
        append_events.event_ids,
        append_events.event_types,
        append_events.event_tags,
        append_events.event_payloads,
        append_events.event_metadata
    ) with ordinality event (request, id, type, tags, payload, metadata, number)
    where skipped is null
    or skipped[event.request] is not null;

    insert into ${flyway:defaultSchema}.event_tags (tag, position, type)
    select
        unnest(event.tags::text[]),
        head_before + event.number - coalesce(skipped[event.request], 0),
        event.type
    from unnest(append_events.event_requests, append_events.event_types, append_events.event_tags)
        with ordinality event (request, type, tags, number)
    where skipped is null
    or skipped[event.request] is not null;

    if cardinality(append_events.keys) > 0 then
        -- If the key is in the table, it has expired: otherwise its request would not have been appended.
        insert into ${flyway:defaultSchema}.idempotency_keys (key, fingerprint, first_position, last_position, recorded_at)
        select
            given.key,
            given.fingerprint,
            head_before + given.first_event - coalesce(skipped[given.request], 0),
            head_before + given.last_event - coalesce(skipped[given.request], 0),
            keys_recorded_at
        from unnest(
            append_events.key_requests,
            append_events.key_first_events,
            append_events.key_last_events,
            append_events.keys,
            append_events.fingerprints
        ) given (request, first_event, last_event, key, fingerprint)
        where given.last_event >= given.first_event
        and (skipped is null or skipped[given.request] is not null)
        on conflict on constraint idempotency_keys_pk do update set
            fingerprint = excluded.fingerprint,
            first_position = excluded.first_position,
            last_position = excluded.last_position,
            recorded_at = excluded.recorded_at;
    end if;
end
$$;
