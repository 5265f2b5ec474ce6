-- Appends one event in a transaction of its own: what append_events does, for a request that is alone, with one event and
-- no idempotency key. Scalars instead of arrays spare a lone caller a quarter of the time.
--
-- Verdicts: appended, replaced, conflict.
create or replace function ${flyway:defaultSchema}.append_event(
    basis_incarnation uuid,
    basis_position bigint,
    basis_event_id uuid,
    -- one entry a query item
    item_afters bigint[],
    item_first_tags text[],
    item_second_tags text[],
    item_tags text[],
    item_types text[],
    -- the event
    event_id uuid,
    event_type text,
    event_tags text[],
    event_payload text,
    event_metadata text,
    recorded_at timestamptz,
    out verdict text,
    out event_position bigint,
    out conflict_item int,
    out conflict_position bigint,
    out conflict_type text
)
    language plpgsql
    volatile -- each statement must see what was committed while this one waited for the lock
as $$
#variable_conflict use_column
declare
    conditional boolean := append_event.item_afters is not null;
    locked boolean := not conditional;
    head bigint;
    checked bigint := 0;
    current_incarnation uuid;
    checked_incarnation uuid;
    suspects bigint[];
    match record;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'Events are appended at READ COMMITTED, not at %', current_setting('transaction_isolation')
            using errcode = 'DCB01', hint = 'A snapshot taken before the wait for the lock would be stale.';
    end if;

    -- Why twice, and why the lock is as it is: see append_events.
    loop
        if locked then
            perform pg_advisory_xact_lock(1145258561, '${flyway:defaultSchema}.events'::regclass::oid::int);
        end if;
        select
            store.incarnation,
            last.position,
            case
                when conditional and last.position > case when store.incarnation = checked_incarnation then checked else 0 end
                then array(
                    select suspect.item
                    from ${flyway:defaultSchema}.items_perhaps_matched(
                        append_event.item_first_tags,
                        append_event.item_second_tags,
                        append_event.item_afters,
                        case when store.incarnation = checked_incarnation then checked else 0 end
                    ) suspect
                )
            end
        into current_incarnation, head, suspects
        from ${flyway:defaultSchema}.store
        cross join lateral (
            select coalesce((select max(event.position) from ${flyway:defaultSchema}.events event), 0) as position
        ) last;
        if current_incarnation is distinct from checked_incarnation then
            checked := 0;
            checked_incarnation := current_incarnation;
            conflict_item := null;
        end if;
        if suspects <> '{}' then
            select first.item, first.position, first.type
            into match
            from ${flyway:defaultSchema}.first_matches(
                suspects,
                append_event.item_first_tags,
                append_event.item_second_tags,
                append_event.item_tags,
                append_event.item_types,
                append_event.item_afters,
                checked
            ) first
            order by first.item
            limit 1;
            if match.item < coalesce(conflict_item, match.item + 1) then
                conflict_item := match.item;
                conflict_position := match.position;
                conflict_type := match.type;
            end if;
        end if;
        checked := head;
        exit when locked;
        locked := true;
    end loop;

    verdict := case
        when append_event.basis_incarnation <> current_incarnation then 'replaced'
        when append_event.basis_position > 0 and append_event.basis_event_id is distinct from (
            select event.id
            from ${flyway:defaultSchema}.events event
            where event.position = append_event.basis_position
        ) then 'replaced'
        when conflict_item is not null then 'conflict'
        else 'appended'
    end;
    if verdict = 'appended' then
        event_position := head + 1;
        insert into ${flyway:defaultSchema}.events (position, recorded_at, id, type, tags, payload, metadata)
        values (
            event_position,
            append_event.recorded_at,
            append_event.event_id,
            append_event.event_type,
            append_event.event_tags,
            append_event.event_payload,
            append_event.event_metadata
        );
        insert into ${flyway:defaultSchema}.event_tags (tag, position, type)
        select tag.value, event_position, append_event.event_type
        from unnest(append_event.event_tags) tag (value);
    end if;
end
$$;
