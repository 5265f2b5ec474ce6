set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.items_perhaps_matched;

-- The query items, by their numbers from 1, that an event above their position may match. No other function decides which items an
-- append has to look at. An item may be matched if it has no tags, or if an event above the position carries its first two tags and has
-- one of its types. The positions of one tag's events are looked up in the index entries of the other: those of the
-- rarer tag, as far as the next 8 events of each tell.
--
-- This runs under the store's lock, while all other appends wait. So the events of the rarer tag are bounded: 64, and fewer if there
-- are more than 128 items, so that the positions are at most 8,192, or 8 an item. If it has more, the next 8 events of the types are
-- looked up in the entries of the first tag, unless the types are more than 8; if they, too, have more, the item is returned. For most
-- items the search ends with the second tag: no event above the position carries it, and the first tag is not looked up.
create function ${flyway:defaultSchema}.items_perhaps_matched(
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
        when item.first_tag is null then true
        when item.second_tag is null and item.types = '{}' then (
            -- not "exists", which the planner may answer with a hash of the whole table
            select true
            from ${flyway:defaultSchema}.event_tags entry
            where entry.tag = item.first_tag
            and entry.position > item.above
            limit 1
        )
        else (
            select
                (
                    cardinality(rarer.positions) = bounds.most
                    and (
                        select
                            cardinality(typed.positions) = 8
                            or coalesce(
                                (
                                    select true
                                    from ${flyway:defaultSchema}.event_tags entry
                                    where entry.tag = item.first_tag
                                    and entry.position = any (typed.positions)
                                    limit 1
                                ),
                                false
                            )
                        from (
                            select array(
                                select near.position
                                from unnest(item.types::text[]) wanted (type)
                                cross join lateral (
                                    select event.position
                                    from ${flyway:defaultSchema}.events event
                                    where (event.type, event.position) > (wanted.type, item.above)
                                    and (event.type, event.position) <= (wanted.type, 9223372036854775807)
                                    order by event.type, event.position
                                    limit 8
                                ) near
                                order by near.position
                                limit 8
                            ) as positions
                            where cardinality(item.types::text[]) between 1 and 8
                            offset 0
                        ) typed
                    ) is not false -- null: the types do not tell
                )
                or (
                    select true
                    from ${flyway:defaultSchema}.event_tags entry
                    where entry.tag = case when rarer.is_first then bounds.second_tag else item.first_tag end
                    and entry.position = any (rarer.positions)
                    and (item.types = '{}' or entry.type = any (item.types::text[]))
                    limit 1
                )
            from (
                select
                    least(64, greatest(8, 8192 / cardinality(aboves))) as most,
                    coalesce(item.second_tag, item.first_tag) as second_tag -- with types, one tag is looked up like two
                offset 0
            ) bounds
            cross join lateral (
                select array(
                    select entry.position
                    from ${flyway:defaultSchema}.event_tags entry
                    where entry.tag = bounds.second_tag
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
                                else bounds.second_tag
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
