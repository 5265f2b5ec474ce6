set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.lists_ahead;

-- The lists of a query item: one of each of its tags, and one of all of its types, whose tag is null. Each has the positions of its
-- next events within bounds, in reading order, up to a number: those of a rarer list reach farther. A list without events within the
-- bounds has no positions.
--
-- Types are compared together with positions: for "type = ? order by position" the planner may read the primary key and filter.
create function ${flyway:defaultSchema}.lists_ahead(
    tags text[],
    types text[],
    above bigint,
    up_to bigint,
    backwards boolean,
    most bigint
) returns table (tag text, positions bigint[])
    language sql
    stable -- the planner puts its text in the place of the call
as $$
    select
        list.tag,
        case
            when list.tag is not null and not backwards then array(
                select entry.position
                from ${flyway:defaultSchema}.event_tags entry
                where entry.tag = list.tag
                and entry.position > above
                and entry.position <= up_to
                order by entry.position
                limit most
            )
            when list.tag is not null then array(
                select entry.position
                from ${flyway:defaultSchema}.event_tags entry
                where entry.tag = list.tag
                and entry.position > above
                and entry.position <= up_to
                order by entry.position desc
                limit most
            )
            when not backwards then array(
                select near.position
                from unnest(types) wanted (type)
                cross join lateral (
                    select event.position
                    from ${flyway:defaultSchema}.events event
                    where (event.type, event.position) > (wanted.type, above)
                    and (event.type, event.position) <= (wanted.type, up_to)
                    order by event.type, event.position
                    limit most
                ) near
                order by near.position
                limit most
            )
            else array(
                select near.position
                from unnest(types) wanted (type)
                cross join lateral (
                    select event.position
                    from ${flyway:defaultSchema}.events event
                    where (event.type, event.position) > (wanted.type, above)
                    and (event.type, event.position) <= (wanted.type, up_to)
                    order by event.type desc, event.position desc
                    limit most
                ) near
                order by near.position desc
                limit most
            )
        end
    from (
        select unnest(tags)
        union all
        select null
        where cardinality(types) > 0
    ) list (tag)
    offset 0 -- each list is made once
$$;
