set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.erase_events;

-- Overwrites what is personal in events, and records the call in erasures. The log changes by this function
-- and by retag_events alone.
--
-- Returns the number of events that were changed; 0: all were as given, and nothing is recorded. Null: the events have changed
-- since the caller has read them, so it reads them again.
create function ${flyway:defaultSchema}.erase_events(
    known_erasure bigint, -- the number of the last erasure when the events were read, 0 for none
    read_at bigint, -- the position of the head of the store when the events were read
    positions bigint[], -- ascending
    ids uuid[],
    payloads text[],
    metadata text[],
    actors text[],
    personal_tags text[], -- arrays as text: the tags to remove
    actor text,
    reason text,
    query text
) returns integer
    language plpgsql
    volatile -- each statement must see what was committed during the wait for the lock
    security definer -- the role of the service may not change events by a statement of its own
    set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    lock_held boolean;
    last_erasure bigint;
    changed integer;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'Events are erased at READ COMMITTED, not at %', current_setting('transaction_isolation')
            using errcode = 'DCB01', hint = 'A snapshot taken before the wait for the lock would be stale.';
    end if;
    lock_held := ${flyway:defaultSchema}.lock_store();

    select coalesce(max(erasure.number), 0)
    into last_erasure
    from ${flyway:defaultSchema}.erasures erasure;
    if last_erasure <> erase_events.known_erasure or exists (
        select
        from ${flyway:defaultSchema}.retaggings retagging
        where retagging.position > erase_events.read_at
    ) or exists (
        select
        from unnest(erase_events.positions, erase_events.ids) given (position, id)
        left join ${flyway:defaultSchema}.events event on event.position = given.position
        where event.id is distinct from given.id
    ) then
        return null;
    end if;

    select count(*)
    into changed
    from unnest(
        erase_events.positions,
        erase_events.payloads,
        erase_events.metadata,
        erase_events.actors,
        erase_events.personal_tags
    ) given (position, payload, metadata, actor, personal_tags)
    join ${flyway:defaultSchema}.events event on event.position = given.position
    where (event.payload, event.metadata, event.actor) is distinct from (given.payload, given.metadata, given.actor)
    or event.tags && given.personal_tags::text[];
    if changed = 0 then
        return 0;
    end if;
    insert into ${flyway:defaultSchema}.erasures (number, transaction, erased_at, actor, reason, query, events)
    values (
        last_erasure + 1,
        pg_current_xact_id(),
        now(),
        erase_events.actor,
        erase_events.reason,
        erase_events.query,
        changed
    );

    update ${flyway:defaultSchema}.events event
    set payload = masked.payload,
        metadata = masked.metadata,
        actor = masked.actor,
        tags = masked.tags,
        size = ${flyway:defaultSchema}.event_size(masked.tags, masked.payload, masked.metadata, masked.actor)
    from (
        select
            given.position,
            given.payload,
            given.metadata,
            given.actor,
            array(
                select tag.value
                from unnest(stored.tags) with ordinality tag (value, number)
                where tag.value <> all (given.personal_tags::text[])
                order by tag.number
            ) as tags
        from unnest(
            erase_events.positions,
            erase_events.payloads,
            erase_events.metadata,
            erase_events.actors,
            erase_events.personal_tags
        ) given (position, payload, metadata, actor, personal_tags)
        join ${flyway:defaultSchema}.events stored on stored.position = given.position
        where (stored.payload, stored.metadata, stored.actor)
            is distinct from (given.payload, given.metadata, given.actor)
        or stored.tags && given.personal_tags::text[]
    ) masked
    where event.position = masked.position;

    delete from ${flyway:defaultSchema}.event_tags tag
    using (
        select given.position, unnest(given.personal_tags::text[]) as tag
        from unnest(erase_events.positions, erase_events.personal_tags) given (position, personal_tags)
    ) personal
    where tag.tag = personal.tag
    and tag.position = personal.position;

    -- Everything else that may repeat the events. A key belongs to an append of consecutive positions: width_bucket counts the
    -- erased ones up to its last and before its first.
    delete from ${flyway:defaultSchema}.idempotency_keys key
    where width_bucket(key.last_position, erase_events.positions)
        > width_bucket(key.first_position - 1, erase_events.positions);
    update ${flyway:defaultSchema}.projection_skips skip
    set error = 'The event was erased'
    where skip.position = any (erase_events.positions);
    update ${flyway:defaultSchema}.projections checkpoint
    set error = 'The event was erased'
    where checkpoint.error is not null
    -- An error of no known event may be one of any.
    and (checkpoint.error_position is null or checkpoint.error_position = any (erase_events.positions));
    -- With the digest of an import, a guess of what was erased could be checked.
    update ${flyway:defaultSchema}.imported_ranges known
    set digest = 'erased'
    where exists (
        select
        from ${flyway:defaultSchema}.imported_ranges part
        where part.history = known.history
        and part.first_position <= known.first_position
        and width_bucket(part.last_position, erase_events.positions)
            > width_bucket(part.first_position - 1, erase_events.positions)
    );
    -- States that are being stored are waited for, and later ones are of a known erasure.
    lock table ${flyway:defaultSchema}.stored_states in share row exclusive mode;
    delete from ${flyway:defaultSchema}.stored_states;
    return changed;
end
$$;
revoke all on function ${flyway:defaultSchema}.erase_events from public;
