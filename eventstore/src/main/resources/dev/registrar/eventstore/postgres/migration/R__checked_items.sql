set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.checked_items;

-- The positions above which the query items of a group are still to be searched, and the matches that check_conditions has found:
-- one row. A check up to a head that the store has lost was made in another history, and does not count.
create function ${flyway:defaultSchema}.checked_items(
    afters bigint[],
    checks int[], -- the number, from 1, of the head up to which the item was checked; 0: it was not
    matches bigint[], -- the position of the first event that the item matches up to there; 0: there is none
    head_positions bigint[],
    lost bigint[] -- the numbers of the heads that the store has lost
) returns table (aboves bigint[], known_matches bigint[])
    language sql
    stable -- the planner puts its text in the place of the call
as $$
    select
        array_agg(case when item.counts then greatest(item.after, head_positions[item.head]) else item.after end order by item.number),
        array_agg(case when item.counts then nullif(item.match, 0) end order by item.number)
    from (
        select given.*, given.head > 0 and given.head <> all (lost) as counts
        from unnest(afters, checks, matches) with ordinality given (after, head, match, number)
    ) item
$$;
