-- The query items, by their numbers from 1, that an event above their position may match: those without tags; those whose one tag is
-- in use there; and those whose first two tags both are, unless one of the tags has fewer than 64 events there and none of
-- them carries the other tag.
create function ${flyway:defaultSchema}.items_perhaps_matched_2(
    first_tags text[],
    second_tags text[],
    aboves bigint[]
) returns table (item bigint)
    language sql
    stable -- the planner puts its text in the place of the call
as $$
    select item.number
    from unnest(first_tags, second_tags, aboves) with ordinality item (first_tag, second_tag, above, number)
    where (
        item.first_tag is null
        or ( -- not "exists", which the planner may answer with a hash of the whole table
            select true
            from ${flyway:defaultSchema}.event_tags entry
            where entry.tag = item.first_tag
            and entry.position > item.above
            limit 1
        )
    )
    and (
        item.second_tag is null
        or (
            (
                select true
                from ${flyway:defaultSchema}.event_tags entry
                where entry.tag = item.second_tag
                and entry.position > item.above
                limit 1
            ) is not null -- after which the rest is looked at, and not after null
            and (
                select
                    case
                        when cardinality(second.positions) < 64 then (
                            select true
                            from ${flyway:defaultSchema}.event_tags entry
                            where entry.tag = item.first_tag
                            and entry.position = any (second.positions)
                            limit 1
                        )
                        else (
                            select
                                cardinality(first.positions) = 64
                                or (
                                    select true
                                    from ${flyway:defaultSchema}.event_tags entry
                                    where entry.tag = item.second_tag
                                    and entry.position = any (first.positions)
                                    limit 1
                                )
                            from (
                                select array(
                                    select entry.position
                                    from ${flyway:defaultSchema}.event_tags entry
                                    where entry.tag = item.first_tag
                                    and entry.position > item.above
                                    order by entry.position
                                    limit 64
                                ) as positions
                                offset 0
                            ) first
                        )
                    end
                from (
                    select array(
                        select entry.position
                        from ${flyway:defaultSchema}.event_tags entry
                        where entry.tag = item.second_tag
                        and entry.position > item.above
                        order by entry.position
                        limit 64
                    ) as positions
                    offset 0
                ) second
            )
        )
    )
$$;
