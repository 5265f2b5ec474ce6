-- Appends a group of requests in one transaction and answers each with a verdict of its own.
--
-- The conditions are judged against the events in the store, not against the group's own. So for any two requests of a group the
-- caller must ensure one of these: the earlier request's events do not match the later one's condition; or the later request
-- continues the earlier one, or one that does (a chain: each request continues the one before it, and is superseded unless that
-- was appended); or the earlier request brings no events and asks for its verdict only. Two requests never share an
-- idempotency key.
--
-- A search for conflicts may take long, and other appends wait for the store's lock meanwhile. So the search under the lock is
-- bounded (quick_matches_3). A request that it cannot judge is suspected: none of its events is appended. The caller sends it again
-- after check_conditions_3, with the head up to which that function searched and the matches that it found. Only later events are
-- searched then: positions are drawn under the lock, so no event can have come below that head.
--
-- Verdicts: appended, repeated, key-reused, replaced, conflict, superseded, suspected. A chain is suspected as a whole. When all
-- requests are appended, as in most groups, the columns of verdicts are null: the positions follow from the head before.
--
-- A part that a group does not have is left out of the call: each array costs 1 to 2 µs.
create function ${flyway:defaultSchema}.append_events_4(
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
    recorded_at timestamptz,
    -- one entry a tag of an event
    tag_events int[],
    tags text[],
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
    keys_retention interval default null, -- how long a key is remembered, by the database's clock
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
    -- lock's holder before committed. An assignment, which is evaluated without a query.
    lock_held := ${flyway:defaultSchema}.lock_store();
    head_before := coalesce((select max(event.position) from ${flyway:defaultSchema}.events event), 0);

    if cardinality(append_events_4.head_positions) > 0 then
        lost := array(
            select known.head
            from ${flyway:defaultSchema}.lost_heads_2(
                append_events_4.head_incarnations, append_events_4.head_positions, append_events_4.head_event_ids
            ) known
        );
    end if;

    if cardinality(append_events_4.item_requests) > 0 then
        aboves := append_events_4.item_afters;
        if append_events_4.item_checks is not null then
            select checked.aboves, checked.known_matches
            into aboves, known_matches
            from ${flyway:defaultSchema}.checked_items_2(
                append_events_4.item_afters,
                append_events_4.item_checks,
                append_events_4.item_matches,
                append_events_4.head_positions,
                lost
            ) checked;
        end if;
        candidates := array(
            select perhaps.item
            from ${flyway:defaultSchema}.items_perhaps_matched_3(
                append_events_4.item_first_tags, append_events_4.item_second_tags, append_events_4.item_types, aboves
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
            from ${flyway:defaultSchema}.conflicts_3(
                candidates,
                append_events_4.item_first_tags,
                append_events_4.item_second_tags,
                append_events_4.item_tags,
                append_events_4.item_types,
                aboves,
                known_matches
            ) match;
        end if;
    end if;

    -- The instances' clocks may differ, by days if one is wrong: the time of keys is the database's alone.
    keys_recorded_at := clock_timestamp();
    keys_expired_at := keys_recorded_at - append_events_4.keys_retention;

    unusual := matched_items is not null or open_items is not null or lost <> '{}';
    if not unusual and cardinality(append_events_4.keys) > 0 then
        unusual := exists (
            select
            from ${flyway:defaultSchema}.keys_in_use_3(append_events_4.keys, keys_expired_at)
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
        from ${flyway:defaultSchema}.verdicts_2(
            head_before,
            append_events_4.event_counts,
            append_events_4.continues,
            append_events_4.item_requests,
            append_events_4.item_heads,
            lost,
            matched_items,
            matched_positions,
            matched_types,
            open_items,
            append_events_4.key_requests,
            append_events_4.keys,
            append_events_4.fingerprints,
            keys_expired_at
        ) judged;
    end if;

    insert into ${flyway:defaultSchema}.events (position, recorded_at, id, type, tags, payload, metadata, actor)
    select
        event.position,
        append_events_4.recorded_at,
        event.id,
        event.type,
        event.tags,
        event.payload,
        event.metadata,
        event.actor
    from ${flyway:defaultSchema}.events_to_insert_4(
        head_before,
        skipped,
        append_events_4.actors,
        append_events_4.event_requests,
        append_events_4.event_ids,
        append_events_4.event_types,
        append_events_4.event_tags,
        append_events_4.event_payloads,
        append_events_4.event_metadata
    ) event;

    insert into ${flyway:defaultSchema}.event_tags (tag, position, type)
    select entry.tag, entry.position, entry.type
    from ${flyway:defaultSchema}.tags_to_insert_3(
        head_before,
        skipped,
        append_events_4.event_requests,
        append_events_4.event_types,
        append_events_4.tag_events,
        append_events_4.tags
    ) entry;

    if cardinality(append_events_4.keys) > 0 then
        -- A key that is still there has expired, or its request would not have been appended.
        insert into ${flyway:defaultSchema}.idempotency_keys (key, fingerprint, first_position, last_position, recorded_at)
        select given.key, given.fingerprint, given.first_position, given.last_position, keys_recorded_at
        from ${flyway:defaultSchema}.keys_to_insert_3(
            head_before,
            skipped,
            append_events_4.key_requests,
            append_events_4.key_first_events,
            append_events_4.key_last_events,
            append_events_4.keys,
            append_events_4.fingerprints
        ) given
        on conflict on constraint idempotency_keys_pk do update set
            fingerprint = excluded.fingerprint,
            first_position = excluded.first_position,
            last_position = excluded.last_position,
            recorded_at = excluded.recorded_at;
    end if;
end
$$;
