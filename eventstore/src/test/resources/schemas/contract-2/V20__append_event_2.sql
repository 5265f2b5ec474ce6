-- Appends one event in a transaction of its own, unless a quick test finds a possible conflict: append_events_2 for a request that
-- is alone, with one event, no idempotency key, and a few items that name tags. Scalars instead of arrays, and an answer without
-- verdicts, save such a request half of the time.
--
-- Answers with the event's position, or with null: nothing was appended, and the caller sends the request to append_events_2.
create function ${flyway:defaultSchema}.append_event_2(
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
    lock_held := ${flyway:defaultSchema}.lock_store();

    if append_event_2.item_afters is not null then
        select (
            select true
            from ${flyway:defaultSchema}.items_in_use_2(
                append_event_2.item_first_tags, append_event_2.item_second_tags, append_event_2.item_afters
            )
            limit 1
        )
        into suspected;
        if suspected then
            select (
                select true
                from ${flyway:defaultSchema}.items_perhaps_matched_2(
                    append_event_2.item_first_tags, append_event_2.item_second_tags, append_event_2.item_afters
                )
                limit 1
            )
            into suspected;
        end if;
        if not coalesce(suspected, false) and append_event_2.head_positions is not null then
            select (
                select true
                from ${flyway:defaultSchema}.lost_heads_2(
                    append_event_2.head_incarnations, append_event_2.head_positions, append_event_2.head_event_ids
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
        append_event_2.recorded_at,
        append_event_2.event_id,
        append_event_2.event_type,
        append_event_2.event_tags,
        append_event_2.event_payload,
        append_event_2.event_metadata
    )
    returning position into event_position;
    insert into ${flyway:defaultSchema}.event_tags (tag, position, type)
    select unnest(append_event_2.event_tags), event_position, append_event_2.event_type;
    return event_position;
end
$$;
