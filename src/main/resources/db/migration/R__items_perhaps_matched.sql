-- The query items, by their numbers from 1, that an event above both their own position and a common one may match: those
-- without tags, and those whose first two tags are both in use there. One probe a tag, for most items are refuted by it.
create or replace function ${flyway:defaultSchema}.items_perhaps_matched(
    first_tags text[],
    second_tags text[],
    afters bigint[],
    above bigint
) returns table (item bigint)
    language sql
    stable -- the planner puts its text in the place of the call
as $$
    select item.number
    from unnest(first_tags, second_tags, afters) with ordinality item (first_tag, second_tag, after, number)
    where (
        item.first_tag is null
        or exists (
            select
            from ${flyway:defaultSchema}.event_tags entry
            where entry.tag = item.first_tag
            and entry.position > greatest(item.after, above)
        )
    )
    and (
        item.second_tag is null
        or exists (
            select
            from ${flyway:defaultSchema}.event_tags entry
            where entry.tag = item.second_tag
            and entry.position > greatest(item.after, above)
        )
    )
$$;
