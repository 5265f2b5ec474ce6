set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.import_events;

-- Appends events of another store's history: those that the caller has copied into its temporary table imported_events, in the
-- order of the column "number", from 1 on. They become visible with the commit, in order, as those of every append.
--
-- With keeps_positions the store must be empty when the history begins, and has no other events until its end: so the positions,
-- from 1 on, are those of the other store, and the times are kept. Otherwise the events get the next positions and the time of this
-- call, and keep theirs as the original time.
--
-- For the owner of the schema alone. It runs with the rights of its caller, so that it gives none to a caller's temporary table.
create function ${flyway:defaultSchema}.import_events(
    history uuid, -- the id of the history's first event
    imported bigint, -- how many events of the history were imported before; 0: none
    digest text, -- of the history's events up to the end of this call
    keeps_positions boolean,
    out first_position bigint,
    out last_position bigint
)
    language plpgsql
    volatile -- each statement must see what was committed during the wait for the lock
    set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    lock_held boolean;
    head_position bigint;
    head_time timestamptz;
    stamp timestamptz;
    last_range ${flyway:defaultSchema}.imported_ranges;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'Events are appended at READ COMMITTED, not at %', current_setting('transaction_isolation')
            using errcode = 'DCB01', hint = 'A snapshot taken before the wait for the lock would be stale.';
    end if;

    lock_held := ${flyway:defaultSchema}.lock_store();
    select coalesce(head.position, 0), head.recorded_at
    into head_position, head_time
    from (select) one
    left join lateral (
        select event.position, event.recorded_at
        from ${flyway:defaultSchema}.events event
        order by event.position desc
        limit 1
    ) head on true;
    stamp := greatest(clock_timestamp(), head_time);

    select known.*
    into last_range
    from ${flyway:defaultSchema}.imported_ranges known
    where known.history = import_events.history
    order by known.first_position desc
    limit 1;
    if import_events.imported <> coalesce(last_range.events, 0) then
        raise exception 'another import has imported % events of this history', coalesce(last_range.events, 0)
            using errcode = 'DCB06';
    end if;
    if last_range.keeps_positions <> import_events.keeps_positions then
        raise exception 'the import of this history has begun in the other way' using errcode = 'DCB06';
    end if;
    if import_events.keeps_positions and head_position <> import_events.imported then
        raise exception 'the store has other events, up to position %, and the positions of the import are not free', head_position
            using errcode = 'DCB06';
    end if;
    if import_events.keeps_positions and exists (
        select
        from (
            select
                event.recorded_at,
                lag(event.recorded_at, 1, head_time) over (order by event.number) as time_before
            from pg_temp.imported_events event
        ) follower
        where follower.recorded_at < follower.time_before
    ) then
        raise exception 'the times of the events run backwards' using errcode = 'DCB06';
    end if;

    insert into ${flyway:defaultSchema}.events
        (position, recorded_at, id, size, type, tags, payload, metadata, actor, original_time)
    select
        head_position + event.number,
        case when import_events.keeps_positions then event.recorded_at else stamp end,
        event.id,
        ${flyway:defaultSchema}.event_size(event.tags::text[], event.payload, event.metadata, event.actor),
        event.type,
        event.tags::text[],
        event.payload,
        event.metadata,
        event.actor,
        case
            when import_events.keeps_positions then event.original_time
            else coalesce(event.original_time, event.recorded_at)
        end
    from pg_temp.imported_events event
    order by event.number;

    insert into ${flyway:defaultSchema}.event_tags (tag, position, type)
    select unnest(event.tags::text[]), head_position + event.number, event.type
    from pg_temp.imported_events event;

    first_position := head_position + 1;
    last_position := head_position + (select count(*) from pg_temp.imported_events);
    -- A range of events that directly follow the last one makes that longer.
    insert into ${flyway:defaultSchema}.imported_ranges
        (history, first_position, last_position, events, digest, keeps_positions)
    values (
        import_events.history,
        case when last_range.last_position = head_position then last_range.first_position else first_position end,
        last_position,
        import_events.imported + last_position - head_position,
        case when last_range.digest = 'erased' then last_range.digest else import_events.digest end,
        import_events.keeps_positions
    )
    on conflict on constraint imported_ranges_pk do update set
        last_position = excluded.last_position,
        events = excluded.events,
        digest = excluded.digest;
end
$$;

revoke execute on function ${flyway:defaultSchema}.import_events from public;
