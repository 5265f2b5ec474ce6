-- The query items, by their numbers from 1, that an event above their position may match: those without tags; those whose one tag is
-- in use there; and those of which some event carries the first two tags and has one of their types. It asks one of the two tags for
-- the positions of the other one's events: of the rarer one's, as 8 events of each tell.
--
-- This runs under the store's lock, while all other appends wait, so an item is left open where the rarer tag has too many events:
-- 64, and fewer where there are more than 128 items, so that the positions are not more than 8,192, or 8 an item. Most items
-- end with their second tag: it is not in use above their position, and the first tag is not asked for.
create function ${flyway:defaultSchema}.items_perhaps_matched_3(
    first_tags text[],
    second_tags text[],
    types text[], -- arrays as text
    aboves bigint[]
) returns table (item bigint)
    language sql
    stable -- the planner puts its text in the place of the call
as $$
    select item.number
    from unnest(first_tags, second_tags, types, aboves) with ordinality item (first_tag, second_tag, types, above, number)
    where case
        when item.second_tag is null then
            item.first_tag is null
            or ( -- not "exists", which the planner may answer with a hash of the whole table
                select true
                from ${flyway:defaultSchema}.event_tags entry
                where entry.tag = item.first_tag
                and entry.position > item.above
                limit 1
            )
        else (
            select
                cardinality(rarer.positions) = bounds.most
                or (
                    select true
                    from ${flyway:defaultSchema}.event_tags entry
                    where entry.tag = case when rarer.is_first then item.second_tag else item.first_tag end
                    and entry.position = any (rarer.positions)
                    and (item.types = '{}' or entry.type = any (item.types::text[]))
                    limit 1
                )
            from (
                select least(64, greatest(8, 8192 / cardinality(aboves))) as most
                offset 0
            ) bounds
            cross join lateral (
                select array(
                    select entry.position
                    from ${flyway:defaultSchema}.event_tags entry
                    where entry.tag = item.second_tag
                    and entry.position > item.above
                    order by entry.position
                    limit 8
                ) as positions
                offset 0
            ) second
            cross join lateral (
                select case
                    when cardinality(second.positions) = 8 then array(
                        select entry.position
                        from ${flyway:defaultSchema}.event_tags entry
                        where entry.tag = item.first_tag
                        and entry.position > item.above
                        order by entry.position
                        limit 8
                    )
                end as positions -- null: all of the second tag's are listed
                offset 0
            ) first
            cross join lateral (
                select
                    case
                        when first.positions is null then second.positions
                        when cardinality(first.positions) < 8 then first.positions
                        else array(
                            select entry.position
                            from ${flyway:defaultSchema}.event_tags entry
                            where entry.tag = case
                                when first.positions[8] > second.positions[8] then item.first_tag
                                else item.second_tag
                            end
                            and entry.position > item.above
                            order by entry.position
                            limit bounds.most
                        )
                    end as positions,
                    cardinality(first.positions) < 8 or first.positions[8] > second.positions[8] as is_first -- null: no
                offset 0
            ) rarer
        )
    end
$$;
