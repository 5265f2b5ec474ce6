-- Appends a group of requests in one transaction and answers each with a verdict of its own.
--
-- The conditions are judged against what is in the store, not against the group's own events. So for any two requests of a
-- group one of these must hold, and who makes the group sees to it: the earlier one's events do not match the later one's
-- condition; or the later one builds on the earlier one, or on one that does (a chain: each of it continues the one before
-- it, and is superseded unless that was appended); or the earlier one brings no events, and only asks for its verdict.
-- Nor do two requests share an idempotency key.
--
-- Looking for conflicts may take long, and no append is to wait for another one's behind the store's lock. So a quick look must
-- do here, which is bounded (quick_matches). A request that it cannot judge is suspected: nothing of it is appended, and it comes
-- again when check_conditions has looked as long as it took, with the head up to which that was and with the matches that were
-- found. Here only what has come since is looked at. Positions are drawn under the lock, so nothing can have come below that head.
--
-- Verdicts: appended, repeated, key-reused, replaced, conflict, superseded, suspected. A chain is suspected as a whole. When all
-- are appended, as most groups are, the columns of verdicts are null: positions then follow from the head before.
create or replace function ${flyway:defaultSchema}.append_events(
    -- one entry a request
    event_counts int[],
    continues boolean[],
    -- one entry a head; null: there is none
    head_incarnations uuid[],
    head_positions bigint[],
    head_event_ids uuid[],
    -- one entry a query item; null: there is none
    item_requests int[],
    item_afters bigint[],
    item_heads int[], -- the number, from 1, of the head that its request's decision rests on; 0: none
    item_first_tags text[],
    item_second_tags text[],
    item_tags text[], -- arrays as text: null for items of one or two tags
    item_types text[], -- arrays as text
    -- one entry a query item; null: none was checked before
    item_checks int[], -- the number, from 1, of the head up to which the item was checked; 0: it was not
    item_matches bigint[], -- the position of the first event that the item matches up to there; 0: there is none
    -- one entry an idempotency key; null: there is none
    key_requests int[],
    key_first_events int[], -- numbers, from 1, of the request's first and last event
    key_last_events int[],
    keys text[],
    fingerprints text[],
    keys_retention interval, -- how long a key is remembered, by the database's clock
    -- one entry an event
    event_requests int[],
    event_ids uuid[],
    event_types text[],
    event_tags text[], -- arrays as text
    event_payloads text[],
    event_metadata text[],
    recorded_at timestamptz,
    -- one entry a tag of an event
    tag_events int[],
    tags text[],
    out head_before bigint,
    out verdicts text[],
    out first_positions bigint[],
    out last_positions bigint[],
    out conflict_items int[],
    out conflict_positions bigint[],
    out conflict_types text[]
)
    language plpgsql
    volatile -- each statement must see what was committed while this one waited for the lock
as $$
#variable_conflict use_column
declare
    conditional boolean := coalesce(cardinality(append_events.item_requests), 0) > 0;
    lock_held boolean;
    lost bigint[] := '{}';
    aboves bigint[];
    known_matches bigint[];
    candidates bigint[];
    matched_items int[];
    matched_positions bigint[];
    matched_types text[];
    open_items int[]; -- which the quick look could not judge
    unusual boolean;
    keys_recorded_at timestamptz;
    keys_expired_at timestamptz; -- keys recorded up to then are forgotten
    skipped int[]; -- how many events of the requests before are not appended; null for a request that is not
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'Events are appended at READ COMMITTED, not at %', current_setting('transaction_isolation')
            using errcode = 'DCB01', hint = 'A snapshot taken before the wait for the lock would be stale.';
    end if;

    -- One writer at a time, until it has committed: the lock is a statement of its own, so that the next one sees what the
    -- lock's holder before committed. The two numbers name this store among all users of advisory locks in the database.
    -- An assignment, which is evaluated without a query.
    lock_held := pg_advisory_xact_lock(1145258561, '${flyway:defaultSchema}.events'::regclass::oid::int) is not null;
    head_before := coalesce((select max(event.position) from ${flyway:defaultSchema}.events event), 0);

    if cardinality(append_events.head_positions) > 0 then
        lost := array(
            select known.head
            from ${flyway:defaultSchema}.lost_heads(
                append_events.head_incarnations, append_events.head_positions, append_events.head_event_ids
            ) known
        );
    end if;

    if conditional then
        aboves := append_events.item_afters;
        if append_events.item_checks is not null then
            -- What was checked up to a head that the store has lost was checked in another history, and counts for nothing.
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
        -- Most conditions name a tag that has no events there: asked with two probes an item, before a closer look.
        candidates := array(
            select item.number
            from unnest(append_events.item_first_tags, append_events.item_second_tags, aboves, known_matches)
                with ordinality item (first_tag, second_tag, above, match, number)
            where item.match is null
            and (
                item.first_tag is null
                or ( -- not "exists", which the planner may answer with a hash of the whole table
                    select true
                    from ${flyway:defaultSchema}.event_tags entry
                    where entry.tag = item.first_tag
                    and entry.position > item.above
                    limit 1
                )
            )
            and (
                item.second_tag is null
                or (
                    select true
                    from ${flyway:defaultSchema}.event_tags entry
                    where entry.tag = item.second_tag
                    and entry.position > item.above
                    limit 1
                )
            )
        );
        if candidates <> '{}' then
            select
                array_agg(match.item) filter (where match.position is not null),
                array_agg(match.position) filter (where match.position is not null),
                array_agg(match.type) filter (where match.position is not null),
                array_agg(match.item) filter (where match.position is null)
            into matched_items, matched_positions, matched_types, open_items
            from ${flyway:defaultSchema}.quick_matches(
                candidates,
                append_events.item_first_tags,
                append_events.item_second_tags,
                append_events.item_tags,
                append_events.item_types,
                aboves
            ) match;
        end if;
        if known_matches is not null then
            select
                matched_items || array_agg(known.item),
                matched_positions || array_agg(known.position),
                matched_types || array_agg(event.type)
            into matched_items, matched_positions, matched_types
            from unnest(known_matches) with ordinality known (position, item)
            join ${flyway:defaultSchema}.events event on event.position = known.position;
        end if;
    end if;

    -- The instances' clocks may differ, by days if one is wrong: the time of keys is the database's alone.
    keys_recorded_at := clock_timestamp();
    keys_expired_at := keys_recorded_at - append_events.keys_retention;

    unusual := matched_items is not null or open_items is not null or lost <> '{}';
    if not unusual and cardinality(append_events.keys) > 0 then
        unusual := exists (
            select
            from unnest(append_events.keys) given (key)
            where (
                select true
                from ${flyway:defaultSchema}.idempotency_keys known
                where known.key = given.key
                and known.recorded_at > keys_expired_at
            )
        );
    end if;

    if unusual then
        with request as (
            select given.number, given.event_count
            from unnest(append_events.event_counts) with ordinality given (event_count, number)
        ), conflict as (
            select distinct on (append_events.item_requests[match.item])
                append_events.item_requests[match.item] as request, match.item, match.position, match.type
            from unnest(matched_items, matched_positions, matched_types) match (item, position, type)
            order by append_events.item_requests[match.item], match.item, match.position
        ), undecided as (
            select append_events.item_requests[open.item] as request, min(open.item) as item
            from unnest(open_items) open (item)
            group by 1
        ), earlier as (
            select
                given.request,
                given.fingerprint = known.fingerprint as same,
                known.first_position,
                known.last_position
            from unnest(append_events.key_requests, append_events.keys, append_events.fingerprints)
                given (request, key, fingerprint)
            cross join lateral (
                select stored.fingerprint, stored.first_position, stored.last_position
                from ${flyway:defaultSchema}.idempotency_keys stored
                where stored.key = given.key
                and stored.recorded_at > keys_expired_at
                -- A write: the answer waits until synchronous standbys have what it repeats.
                for key share
            ) known
        ), replaced as (
            select item.request
            from unnest(append_events.item_requests, append_events.item_heads) item (request, head)
            where item.head = any (lost)
        ), judged as (
            select
                request.number,
                case
                    when earlier.same then 'repeated'
                    when earlier.request is not null then 'key-reused'
                    when request.number in (select replaced.request from replaced) then 'replaced'
                    -- A conflict names the first of the items that match, so an item before it that is undecided comes first.
                    when undecided.item < coalesce(conflict.item, 2147483647) then 'suspected'
                    when conflict.item is not null then 'conflict'
                    else 'appended'
                end as verdict,
                request.event_count,
                earlier.first_position,
                earlier.last_position,
                conflict.item,
                conflict.position,
                conflict.type
            from request
            left join earlier on earlier.request = request.number
            left join conflict on conflict.request = request.number
            left join undecided on undecided.request = request.number
        ), chained as (
            -- A chain begins with a request that does not continue another, and breaks with the first that is not appended.
            select
                *,
                bool_or(verdict <> 'appended') over (
                    partition by chain
                    order by number
                    rows between unbounded preceding and 1 preceding
                ) as broken
            from (
                select
                    *,
                    count(*) filter (where not append_events.continues[number]) over (order by number) as chain
                from judged
            ) linked
        ), settled as (
            -- Where a chain breaks because of a suspicion, all of it comes again: its requests do not look at each other's events.
            select
                number,
                event_count,
                case
                    when bool_or(verdict = 'suspected' and broken is not true) over (partition by chain) then 'suspected'
                    when broken then 'superseded'
                    else verdict
                end as verdict,
                first_position,
                last_position,
                item,
                position,
                type
            from chained
        ), placed as (
            select
                *,
                sum(case when verdict = 'appended' then 0 else event_count end) over (order by number) as skipped_so_far,
                head_before + sum(case when verdict = 'appended' then event_count else 0 end) over (order by number) as reached
            from settled
        )
        select
            array_agg(verdict order by number),
            array_agg(case when verdict = 'appended' then reached - event_count + 1 else first_position end order by number),
            array_agg(case when verdict = 'appended' then reached else last_position end order by number),
            array_agg(item order by number),
            array_agg(position order by number),
            array_agg(type order by number),
            array_agg(case when verdict = 'appended' then skipped_so_far end order by number)
        into verdicts, first_positions, last_positions, conflict_items, conflict_positions, conflict_types, skipped
        from placed;
    end if;

    insert into ${flyway:defaultSchema}.events (position, recorded_at, id, type, tags, payload, metadata)
    select
        head_before + event.number - coalesce(skipped[event.request], 0),
        append_events.recorded_at,
        event.id,
        event.type,
        event.tags::text[],
        event.payload,
        event.metadata
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
        tag.value,
        head_before + tag.event - coalesce(skipped[append_events.event_requests[tag.event]], 0),
        append_events.event_types[tag.event]
    from unnest(append_events.tags, append_events.tag_events) tag (value, event)
    where skipped is null
    or skipped[append_events.event_requests[tag.event]] is not null;

    if cardinality(append_events.keys) > 0 then
        -- A key that is still there has expired, or its request would not have been appended.
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
