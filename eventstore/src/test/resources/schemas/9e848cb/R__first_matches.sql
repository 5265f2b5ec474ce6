-- The first event that each of some query items matches, above both the item's own position and a common one: no row for
-- an item that matches none.
--
-- Most items have one or two tags, one of them with few events. Whether a tag has few cannot be told without counting,
-- which costs as much as looking. So it is guessed: the tag whose fourth event comes later is the rarer one, and of that
-- one's events 64 are looked at. What is then still open, and items of other shapes, are left to first_match, which is
-- slower for the many and safe for the few.
create or replace function ${flyway:defaultSchema}.first_matches(
    items bigint[],
    first_tags text[],
    second_tags text[],
    tags text[],
    types text[],
    afters bigint[],
    above bigint
) returns table (item int, "position" bigint, type text)
    language plpgsql
    stable
as $$
#variable_conflict use_column
begin
    return query
    select wanted.item::int, match.position, match.type
    from (
        select
            asked.item,
            first_matches.first_tags[asked.item] as first_tag,
            first_matches.second_tags[asked.item] as second_tag,
            first_matches.tags[asked.item]::text[] as all_tags, -- null for one or two
            first_matches.types[asked.item]::text[] as types,
            greatest(first_matches.afters[asked.item], first_matches.above) as above
        from unnest(first_matches.items) asked (item)
        offset 0
    ) wanted
    cross join lateral (
        select
            wanted.second_tag is null
            or coalesce((
                select entry.position
                from ${flyway:defaultSchema}.event_tags entry
                where entry.tag = wanted.first_tag
                and entry.position > wanted.above
                order by entry.position
                offset 3
                limit 1
            ), 9223372036854775807) >= coalesce((
                select entry.position
                from ${flyway:defaultSchema}.event_tags entry
                where entry.tag = wanted.second_tag
                and entry.position > wanted.above
                order by entry.position
                offset 3
                limit 1
            ), 9223372036854775807) as is_first
        offset 0
    ) rarer
    left join lateral (
        select entry.matches, entry.position, entry.type, count(*) over () as events
        from (
            select
                looked_at.position,
                looked_at.type,
                (cardinality(wanted.types) = 0 or looked_at.type = any (wanted.types))
                and (
                    wanted.second_tag is null
                    or ( -- not "exists", which the planner may answer with a hash of the whole table
                        select true
                        from ${flyway:defaultSchema}.event_tags other
                        where other.tag = case when rarer.is_first then wanted.second_tag else wanted.first_tag end
                        and other.position = looked_at.position
                    ) is not null
                ) as matches
            from ${flyway:defaultSchema}.event_tags looked_at
            where looked_at.tag = case when rarer.is_first then wanted.first_tag else wanted.second_tag end
            and looked_at.position > wanted.above
            and wanted.all_tags is null
            order by looked_at.position
            limit 64
        ) entry
        order by entry.matches desc, entry.position
        limit 1
    ) guess on true
    cross join lateral (
        select guess.position, guess.type
        where guess.matches
        union all
        select sure.position, sure.type
        from ${flyway:defaultSchema}.first_match(
            wanted.types,
            coalesce(wanted.all_tags, array_remove(array[wanted.first_tag, wanted.second_tag], null)),
            wanted.above
        ) sure
        where wanted.all_tags is not null
        or (not guess.matches and guess.events = 64)
    ) match;
end
$$;
