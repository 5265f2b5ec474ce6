set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.retag_events;

-- Adds tags to the stored events that query items match, and records the call in retaggings and tag_additions. In the same
-- transaction it appends an event of a reserved type. A condition after a position before that event, whose query names one of the
-- tags, conflicts from then on (append_events): what its decision has read may lack events.
--
-- The search for the events is under the store's lock, so that no event before the appended one is missed.
create function ${flyway:defaultSchema}.retag_events(
    item_tags text[], -- arrays as text
    item_types text[], -- arrays as text
    added_tags text[],
    most_events int,
    most_tags int, -- of an event
    event_id uuid, -- of the event to append
    event_type text,
    event_payload text,
    recorded_at timestamptz, -- null: the time of this server
    actor text,
    reason text,
    query text,
    out matched int, -- the number of events that the items match; above most_events: at least that many, and nothing is changed
    out full_position bigint, -- the first event that would have too many tags, and nothing is changed; null: none
    out tagged int, -- the number of events that lacked a tag
    out "position" bigint -- of the appended event; null: nothing is changed
)
    language plpgsql
    volatile -- each statement must see what was committed during the wait for the lock
    security definer -- the role of the service may not change events by a statement of its own
    set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    lock_held boolean;
    positions bigint[];
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'Tags are added at READ COMMITTED, not at %', current_setting('transaction_isolation')
            using errcode = 'DCB01', hint = 'A snapshot taken before the wait for the lock would be stale.';
    end if;
    lock_held := ${flyway:defaultSchema}.lock_store();

    positions := array(
        select distinct found.position
        from (
            select given.tags::text[] as tags, given.types::text[] as types
            from unnest(retag_events.item_tags, retag_events.item_types) given (tags, types)
            offset 0
        ) item
        cross join lateral (
            select listed.position
            from ${flyway:defaultSchema}.positions_in_lists(
                item.tags, item.types, 0, 9223372036854775807, false, retag_events.most_events + 1, false
            ) listed (position)
            where item.tags <> '{}'
            or item.types <> '{}'
            union all
            (
                select event.position
                from ${flyway:defaultSchema}.events event
                where item.tags = '{}'
                and item.types = '{}'
                order by event.position
                limit retag_events.most_events + 1
            )
        ) found
        order by found.position
    );
    matched := cardinality(positions);
    tagged := 0;
    if matched > retag_events.most_events then
        return;
    end if;

    positions := array(
        select event.position
        from ${flyway:defaultSchema}.events event
        where event.position = any (positions)
        and not event.tags @> retag_events.added_tags
        order by event.position
    );
    select min(event.position)
    into full_position
    from ${flyway:defaultSchema}.events event
    where event.position = any (positions)
    and (
        select cardinality(event.tags) + count(*)
        from unnest(retag_events.added_tags) added (tag)
        where added.tag <> all (event.tags)
    ) > retag_events.most_tags;
    if full_position is not null or positions = '{}' then
        return;
    end if;

    tagged := cardinality(positions);
    position := ${flyway:defaultSchema}.append_event(
        retag_events.event_id,
        retag_events.event_type,
        '{}',
        retag_events.event_payload,
        '{}',
        retag_events.actor,
        retag_events.recorded_at
    );
    insert into ${flyway:defaultSchema}.retaggings
        (position, event_id, transaction, tagged_at, actor, reason, query, events)
    values (
        retag_events.position,
        retag_events.event_id,
        pg_current_xact_id(),
        now(),
        retag_events.actor,
        retag_events.reason,
        retag_events.query,
        tagged
    );
    with lacking as (
        select added.tag, event.position, event.type
        from ${flyway:defaultSchema}.events event
        cross join unnest(retag_events.added_tags) added (tag)
        where event.position = any (positions)
        and added.tag <> all (event.tags)
    ), entries as (
        insert into ${flyway:defaultSchema}.event_tags (tag, position, type)
        select lacking.tag, lacking.position, lacking.type
        from lacking
    )
    insert into ${flyway:defaultSchema}.tag_additions (position, tag, first_event)
    select retag_events.position, lacking.tag, min(lacking.position)
    from lacking
    group by lacking.tag;
    update ${flyway:defaultSchema}.events event
    set tags = more.tags,
        size = ${flyway:defaultSchema}.event_size(more.tags, event.payload, event.metadata, event.actor)
    from (
        select
            stored.position,
            stored.tags || array(
                select added.tag
                from unnest(retag_events.added_tags) with ordinality added (tag, number)
                where added.tag <> all (stored.tags)
                order by added.number
            ) as tags
        from ${flyway:defaultSchema}.events stored
        where stored.position = any (positions)
        offset 0
    ) more
    where event.position = more.position;

    -- The digest of an import is of events without these tags.
    update ${flyway:defaultSchema}.imported_ranges known
    set digest = 'erased'
    where exists (
        select
        from ${flyway:defaultSchema}.imported_ranges part
        where part.history = known.history
        and part.first_position <= known.first_position
        and width_bucket(part.last_position, positions) > width_bucket(part.first_position - 1, positions)
    );
end
$$;
revoke all on function ${flyway:defaultSchema}.retag_events from public;
