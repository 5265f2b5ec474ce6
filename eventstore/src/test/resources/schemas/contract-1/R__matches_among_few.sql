-- The first event above its position that each of some query items matches, found by looking at so many events at most: no row
-- for an item that matches none, and a row without a position where as many events would not do.
--
-- Of an item's tags the one with the fewest events there decides, as far as that can be told from as many events of each. An
-- item without tags is a probe for each of its types, whatever there is.
create or replace function ${flyway:defaultSchema}.matches_among_few(
    items bigint[],
    first_tags text[],
    second_tags text[],
    tags text[], -- arrays as text: null for items of one or two tags
    types text[], -- arrays as text
    aboves bigint[],
    most int
) returns table (item int, "position" bigint, type text)
    language plpgsql
    stable -- sees what the statement that calls it sees
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
                select counted.tag, counted.events
                from (
                    select each.tag, seen.events, seen.last
                    from unnest(wanted.tags) each (tag)
                    cross join lateral (
                        select count(*) as events, max(entry.position) as last
                        from (
                            select entry.position
                            from ${flyway:defaultSchema}.event_tags entry
                            where entry.tag = each.tag
                            and entry.position > wanted.above
                            order by entry.position
                            limit matches_among_few.most
                        ) entry
                    ) seen
                    offset 0
                ) counted
                order by counted.events, counted.last desc
                limit 1
            ) rarest
            left join lateral (
                select looked_at.position, looked_at.type
                from (
                    select entry.position, entry.type
                    from ${flyway:defaultSchema}.event_tags entry
                    where entry.tag = rarest.tag
                    and entry.position > wanted.above
                    order by entry.position
                    limit matches_among_few.most
                ) looked_at
                where (cardinality(wanted.types) = 0 or looked_at.type = any (wanted.types))
                and not exists (
                    select
                    from unnest(wanted.tags) other (tag)
                    where other.tag <> rarest.tag
                    and ( -- not "exists", which the planner may answer with a hash of the whole table
                        select true
                        from ${flyway:defaultSchema}.event_tags another
                        where another.tag = other.tag
                        and another.position = looked_at.position
                    ) is null
                )
                order by looked_at.position
                limit 1
            ) match on true
            where match.position is not null
            or rarest.events = matches_among_few.most
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
