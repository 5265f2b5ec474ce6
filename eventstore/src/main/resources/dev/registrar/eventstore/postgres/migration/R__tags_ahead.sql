set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.tags_ahead;

-- The given tags with the positions of their next events within bounds, in reading order, at most 16 each: those of a rarer tag
-- reach farther. A tag without events within the bounds has no positions.
create function ${flyway:defaultSchema}.tags_ahead(
    tags text[],
    above bigint,
    up_to bigint,
    backwards boolean
) returns table (tag text, positions bigint[])
    language sql
    stable -- the planner puts its text in the place of the call
as $$
    select
        wanted.tag,
        case
            when backwards then array(
                select entry.position
                from ${flyway:defaultSchema}.event_tags entry
                where entry.tag = wanted.tag
                and entry.position > above
                and entry.position <= up_to
                order by entry.position desc
                limit 16
            )
            else array(
                select entry.position
                from ${flyway:defaultSchema}.event_tags entry
                where entry.tag = wanted.tag
                and entry.position > above
                and entry.position <= up_to
                order by entry.position
                limit 16
            )
        end
    from unnest(tags) wanted (tag)
    offset 0 -- each list is made once
$$;
