set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.first_match;

-- The first event above a position that one query item matches; no row if there is none. Each kind of item has a statement of its
-- own, so that each is a probe of an index whatever the statistics. Types are compared together with positions: for "type = ?
-- order by position" the planner may read the primary key and filter.
create function ${flyway:defaultSchema}.first_match(
    types text[],
    tags text[],
    above bigint
) returns table ("position" bigint, type text)
    language plpgsql
    stable -- has the snapshot of the statement that calls it
    rows 1
as $$
#variable_conflict use_column
begin
    case
        when cardinality(first_match.tags) > 1 then
            return query
            select event.position, event.type
            from ${flyway:defaultSchema}.positions_with_tags(
                first_match.tags, first_match.types, first_match.above, 9223372036854775807, false, 1
            ) first (position)
            join ${flyway:defaultSchema}.events event on event.position = first.position;
        when cardinality(first_match.tags) = 1 and cardinality(first_match.types) = 0 then
            return query
            select entry.position, entry.type
            from ${flyway:defaultSchema}.event_tags entry
            where entry.tag = first_match.tags[1]
            and entry.position > first_match.above
            order by entry.position
            limit 1;
        when cardinality(first_match.tags) = 1 then
            return query
            select entry.position, entry.type
            from ${flyway:defaultSchema}.event_tags entry
            where entry.tag = first_match.tags[1]
            and entry.position > first_match.above
            and entry.type = any (first_match.types)
            order by entry.position
            limit 1;
        when cardinality(first_match.types) > 0 then
            return query
            select probe.position, wanted.type
            from unnest(first_match.types) wanted (type)
            cross join lateral (
                select event.position
                from ${flyway:defaultSchema}.events event
                where (event.type, event.position) > (wanted.type, first_match.above)
                and (event.type, event.position) <= (wanted.type, 9223372036854775807)
                order by event.type, event.position
                limit 1
            ) probe
            order by probe.position
            limit 1;
        else
            return query
            select event.position, event.type
            from ${flyway:defaultSchema}.events event
            where event.position > first_match.above
            order by event.position
            limit 1;
    end case;
end
$$;
