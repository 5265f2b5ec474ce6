set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.matches_among_few;

-- The first event above its position that each of the given query items matches, searched for among a bounded number of events of
-- each tag. There is no row for an item that matches no event, and a row without a position if the bound ends the search.
--
-- The events of the item's rarest tag are searched, as far as the bound shows it; their positions are looked up in the
-- entries of the other tags at once. An item without tags takes one probe for each of its types.
create function ${flyway:defaultSchema}.matches_among_few(
    items bigint[],
    first_tags text[],
    second_tags text[],
    tags text[], -- arrays as text: null for items of one or two tags
    types text[], -- arrays as text
    aboves bigint[],
    most int
) returns table (item int, "position" bigint, type text)
    language plpgsql
    stable -- has the snapshot of the statement that calls it
as $$
#variable_conflict use_column
begin
    return query
    select wanted.item::int, found.position, found.type
    from (
        select
            asked.item,
            coalesce(
                matches_among_few.tags[asked.item]::text[],
                array_remove(
                    array[matches_among_few.first_tags[asked.item], matches_among_few.second_tags[asked.item]], null
                )
            ) as tags,
            matches_among_few.types[asked.item]::text[] as types,
            matches_among_few.aboves[asked.item] as above
        from unnest(matches_among_few.items) asked (item)
        offset 0
    ) wanted
    cross join lateral (
        (
            select match.position, match.type
            from (
                select listed.positions
                from (
                    select array(
                        select entry.position
                        from ${flyway:defaultSchema}.event_tags entry
                        where entry.tag = each.tag
                        and entry.position > wanted.above
                        order by entry.position
                        limit matches_among_few.most
                    ) as positions
                    from unnest(wanted.tags) each (tag)
                    offset 0
                ) listed
                order by cardinality(listed.positions), listed.positions[cardinality(listed.positions)] desc
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
            or cardinality(rarest.positions) = matches_among_few.most
        )
        union all
        (
            select sure.position, sure.type
            from ${flyway:defaultSchema}.first_match(wanted.types, wanted.tags, wanted.above) sure
            where cardinality(wanted.tags) = 0
        )
    ) found;
end
$$;
