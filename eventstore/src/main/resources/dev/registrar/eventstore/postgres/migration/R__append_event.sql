set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.append_event;

-- Appends one event, unless a quick test finds a possible conflict: a short form of append_events for a group of one request with
-- one event, without an idempotency key, with a few query items that name tags. Scalars instead of arrays, and a result without
-- verdicts, take half of the time.
--
-- Returns the event's position. Null: nothing was appended, and the caller calls append_events for the request.
create function ${flyway:defaultSchema}.append_event(
    event_id uuid,
    event_type text,
    event_tags text[],
    event_payload text,
    event_metadata text,
    actor text, -- as the column of this name; null: unknown
    recorded_at timestamptz, -- null: the time of this server
    -- one entry a query item; null: there is no condition
    item_afters bigint[] default null,
    item_first_tags text[] default null,
    item_second_tags text[] default null,
    item_types text[] default null, -- arrays as text
    -- one entry a head that the decision rests on; null: there is none
    head_incarnations uuid[] default null,
    head_positions bigint[] default null,
    head_event_ids uuid[] default null
) returns bigint
    language plpgsql
    volatile -- each statement must see what was committed during the wait for the lock
as $$
#variable_conflict use_column
declare
    lock_held boolean;
    suspected boolean;
    last_addition bigint; -- where tags were added to stored events; null: they never were
    event_position bigint;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'Events are appended at READ COMMITTED, not at %', current_setting('transaction_isolation')
            using errcode = 'DCB01', hint = 'A snapshot taken before the wait for the lock would be stale.';
    end if;

    -- PostgreSQL evaluates an assignment of this kind without a query.
    lock_held := ${flyway:defaultSchema}.lock_store();

    if append_event.item_afters is not null then
        select
            (
                select true
                from ${flyway:defaultSchema}.items_perhaps_matched(
                    append_event.item_first_tags,
                    append_event.item_second_tags,
                    append_event.item_types,
                    append_event.item_afters
                )
                limit 1
            ),
            (select max(addition.position) from ${flyway:defaultSchema}.tag_additions addition)
        into suspected, last_addition;
        if suspected is null and last_addition > any (append_event.item_afters) then
            select true
            into suspected
            from ${flyway:defaultSchema}.tags_added_since(
                append_event.item_first_tags,
                append_event.item_second_tags,
                null,
                append_event.item_afters,
                append_event.item_afters
            ) missed
            limit 1;
        end if;
        if not coalesce(suspected, false) and append_event.head_positions is not null then
            select (
                select true
                from ${flyway:defaultSchema}.lost_heads(
                    append_event.head_incarnations, append_event.head_positions, append_event.head_event_ids
                )
                limit 1
            )
            into suspected;
        end if;
        if suspected then
            return null;
        end if;
    end if;

    insert into ${flyway:defaultSchema}.events (position, recorded_at, id, size, type, tags, payload, metadata, actor)
    select
        coalesce(head.position, 0) + 1,
        -- Times never run backwards along positions, also if the server's clock was set back.
        greatest(coalesce(append_event.recorded_at, clock_timestamp()), head.recorded_at),
        append_event.event_id,
        ${flyway:defaultSchema}.event_size(
            append_event.event_tags, append_event.event_payload, append_event.event_metadata, append_event.actor
        ),
        append_event.event_type,
        append_event.event_tags,
        append_event.event_payload,
        append_event.event_metadata,
        append_event.actor
    from (select) one
    left join lateral (
        select event.position, event.recorded_at
        from ${flyway:defaultSchema}.events event
        order by event.position desc
        limit 1
    ) head on true
    returning position into event_position;
    insert into ${flyway:defaultSchema}.event_tags (tag, position, type)
    select unnest(append_event.event_tags), event_position, append_event.event_type;
    return event_position;
end
$$;
