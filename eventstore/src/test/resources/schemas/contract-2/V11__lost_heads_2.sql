-- The heads, by their numbers from 1, that this store no longer has: the store was cleared since, or its event at the head's
-- position is another one or missing.
create function ${flyway:defaultSchema}.lost_heads_2(
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
