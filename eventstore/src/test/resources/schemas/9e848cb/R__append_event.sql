-- Appends one event in a transaction of its own, if nothing at all speaks against it: what append_events does, for a
-- request that is alone, with one event, no idempotency key, and a few items that name tags. Scalars instead of arrays, and
-- no answer but the plain one, spare a lone caller half of the time.
--
-- Answers with the event's position, or with null: nothing was done, and append_events is to take a closer look.
create or replace function ${flyway:defaultSchema}.append_event(
    -- one entry a query item; null: there is no condition
    item_afters bigint[],
    item_first_tags text[],
    item_second_tags text[],
    -- one entry a head that the decision rests on; null: there is none
    head_incarnations uuid[],
    head_positions bigint[],
    head_event_ids uuid[],
    -- the event
    event_id uuid,
    event_type text,
    event_tags text[],
    event_payload text,
    event_metadata text,
    recorded_at timestamptz
) returns bigint
    language plpgsql
    volatile -- each statement must see what was committed while this one waited for the lock
as $$
#variable_conflict use_column
declare
    lock_held boolean;
    suspected boolean;
    event_position bigint;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'Events are appended at READ COMMITTED, not at %', current_setting('transaction_isolation')
            using errcode = 'DCB01', hint = 'A snapshot taken before the wait for the lock would be stale.';
    end if;

    -- An assignment, which is evaluated without a query.
    lock_held := pg_advisory_xact_lock(1145258561, '${flyway:defaultSchema}.events'::regclass::oid::int) is not null;

    if append_event.item_afters is not null then
        -- Most conditions name a tag that has no events there: asked with two probes an item, before a closer look.
        -- Subqueries and not "exists", which the planner may answer with a hash of the whole table.
        select (
            select true
            from unnest(append_event.item_afters, append_event.item_first_tags, append_event.item_second_tags)
                item (after, first_tag, second_tag)
            where (
                select true
                from ${flyway:defaultSchema}.event_tags entry
                where entry.tag = item.first_tag
                and entry.position > item.after
                limit 1
            )
            and (
                item.second_tag is null
                or (
                    select true
                    from ${flyway:defaultSchema}.event_tags entry
                    where entry.tag = item.second_tag
                    and entry.position > item.after
                    limit 1
                )
            )
            limit 1
        )
        into suspected;
        if suspected then
            select (
                select true
                from ${flyway:defaultSchema}.items_perhaps_matched(
                    append_event.item_first_tags, append_event.item_second_tags, append_event.item_afters, 0
                )
                limit 1
            )
            into suspected;
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

    insert into ${flyway:defaultSchema}.events (position, recorded_at, id, type, tags, payload, metadata)
    values (
        coalesce((select max(event.position) from ${flyway:defaultSchema}.events event), 0) + 1,
        append_event.recorded_at,
        append_event.event_id,
        append_event.event_type,
        append_event.event_tags,
        append_event.event_payload,
        append_event.event_metadata
    )
    returning position into event_position;
    insert into ${flyway:defaultSchema}.event_tags (tag, position, type)
    select unnest(append_event.event_tags), event_position, append_event.event_type;
    return event_position;
end
$$;
