-- The query items, by their numbers from 1, that an event above their position may match as far as two probes an item tell: those
-- whose first two tags are both in use there. Most conditions name a tag that is not, and need no closer look.
create function ${flyway:defaultSchema}.items_in_use_2(
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
            select true
            from ${flyway:defaultSchema}.event_tags entry
            where entry.tag = item.second_tag
            and entry.position > item.above
            limit 1
        )
    )
$$;
