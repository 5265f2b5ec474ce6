set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.quick_matches;

-- The result of a bounded search for the given query items: for each the first event above its position that it matches. There is no
-- row if certainly no event matches, and a row without a position if only a longer search can tell.
--
-- This runs under the store's lock, while all other appends wait. So it reads at most 32 events for each tag of an item, and for each
-- of its types if they are at most 8; and fewer, down to 8, if the items have more than 127 of these together. The events of the
-- rarest of these lists, as far as the bound shows it, are looked up in the entries of the tags at once. An item without tags takes
-- one probe for each of its types.
create function ${flyway:defaultSchema}.quick_matches(
    items bigint[],
    first_tags text[],
    second_tags text[],
    tags text[], -- arrays as text: null for items of one or two tags
    types text[], -- arrays as text
    aboves bigint[]
) returns table (item int, "position" bigint, type text)
    language sql
    stable -- the planner puts its text in the place of the call
as $$
    select wanted.item, found.position, found.type
    from (
        select least(32, greatest(8, 4096 / (1 + sum(
            coalesce(cardinality(tags[each.item]::text[]), 2)
            + case when cardinality(types[each.item]::text[]) <= 8 then cardinality(types[each.item]::text[]) else 0 end
        )))) as most
        from unnest(items) each (item)
        offset 0
    ) bounds
    cross join (
        select
            asked.item::int,
            coalesce(tags[asked.item]::text[], array_remove(array[first_tags[asked.item], second_tags[asked.item]], null)) as tags,
            types[asked.item]::text[] as types,
            aboves[asked.item] as above
        from unnest(items) asked (item)
        offset 0
    ) wanted
    cross join lateral (
        (
            select match.position, match.type
            from (
                select list.positions
                from ${flyway:defaultSchema}.lists_ahead(
                    wanted.tags,
                    case when cardinality(wanted.types) <= 8 then wanted.types else '{}' end,
                    wanted.above,
                    9223372036854775807,
                    false,
                    bounds.most
                ) list
                where cardinality(wanted.tags) > 0
                order by cardinality(list.positions), list.positions[cardinality(list.positions)] desc
                limit 1
            ) rarest
            left join lateral (
                select entry.position, min(entry.type) as type
                from ${flyway:defaultSchema}.event_tags entry
                where entry.tag = any (wanted.tags)
                and entry.position = any (rarest.positions)
                and (cardinality(wanted.types) = 0 or entry.type = any (wanted.types))
                group by entry.position
                having count(*) = cardinality(wanted.tags)
                order by entry.position
                limit 1
            ) match on true
            where match.position is not null
            or cardinality(rarest.positions) = bounds.most
        )
        union all
        (
            select event.position, event.type
            from ${flyway:defaultSchema}.lists_ahead('{}', wanted.types, wanted.above, 9223372036854775807, false, 1) list
            join ${flyway:defaultSchema}.events event on event.position = list.positions[1]
            where cardinality(wanted.tags) = 0
        )
        union all
        (
            select event.position, event.type
            from ${flyway:defaultSchema}.events event
            where cardinality(wanted.tags) = 0
            and cardinality(wanted.types) = 0
            and event.position > wanted.above
            order by event.position
            limit 1
        )
    ) found
$$;
