-- Those of some heads, by their numbers from 1, that this store no longer has: it was cleared since, or holds another event
-- or none where a head's last one was.
create or replace function ${flyway:defaultSchema}.lost_heads(
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
