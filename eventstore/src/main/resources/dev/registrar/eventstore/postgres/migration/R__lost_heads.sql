set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.lost_heads;

-- The heads, by their numbers from 1, that this store has lost: the store was cleared since, or has another event or none at the
-- position of the head.
create function ${flyway:defaultSchema}.lost_heads(
    incarnations uuid[],
    positions bigint[],
    event_ids uuid[]
) returns table (head bigint)
    language sql
    stable -- the planner puts its text in the place of the call
as $$
    select known.number
    from unnest(incarnations, positions, event_ids) with ordinality known (incarnation, position, event_id, number)
    cross join ${flyway:defaultSchema}.store
    where known.incarnation <> store.incarnation
    or (
        known.position > 0
        and known.event_id is distinct from (
            select event.id
            from ${flyway:defaultSchema}.events event
            where event.position = known.position
        )
    )
$$;
