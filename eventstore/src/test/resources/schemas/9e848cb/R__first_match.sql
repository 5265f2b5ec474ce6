-- The first event above a position that one query item matches: no row if there is none. Each kind of item is its own
-- statement, so that each is a probe of an index under any statistics. Types are compared together with positions: asked
-- for "type = ? order by position" the planner may walk the primary key and filter.
create or replace function ${flyway:defaultSchema}.first_match(
    types text[],
    tags text[],
    above bigint
) returns table ("position" bigint, type text)
    language plpgsql
    stable -- sees what the statement that calls it sees
    rows 1
as $$
#variable_conflict use_column
declare
    above_all bigint;
    up_to_all bigint;
    impossible boolean;
    counted bigint := 8;
    rarest text;
    others text[];
begin
    case
        when cardinality(first_match.tags) > 1 then
            -- The events that carry all the tags lie between the last of the tags' first events and the first of their
            -- last ones. There the tags' events are counted, up to a limit that grows until one tag stays below it: that
            -- one's events are looked at.
            select max(bounds.first) - 1, min(bounds.last), count(bounds.first) < cardinality(first_match.tags)
            into above_all, up_to_all, impossible
            from unnest(first_match.tags) wanted (tag)
            cross join lateral (
                select
                    (
                        select min(entry.position)
                        from ${flyway:defaultSchema}.event_tags entry
                        where entry.tag = wanted.tag
                        and entry.position > first_match.above
                    ) as first,
                    (
                        select max(entry.position)
                        from ${flyway:defaultSchema}.event_tags entry
                        where entry.tag = wanted.tag
                        and entry.position > first_match.above
                    ) as last
            ) bounds;
            if impossible then
                return;
            end if;
            while rarest is null loop
                counted := counted * 8;
                select counts.tag
                into rarest
                from (
                    select
                        wanted.tag,
                        (
                            select count(*)
                            from (
                                select
                                from ${flyway:defaultSchema}.event_tags entry
                                where entry.tag = wanted.tag
                                and entry.position > above_all
                                and entry.position <= up_to_all
                                limit counted
                            ) counted_events
                        ) as events
                    from unnest(first_match.tags) wanted (tag)
                    offset 0
                ) counts
                where counts.events < counted
                order by counts.events
                limit 1;
            end loop;
            others := array_remove(first_match.tags, rarest);
            return query
            select entry.position, entry.type
            from ${flyway:defaultSchema}.event_tags entry
            where entry.tag = rarest
            and entry.position > above_all
            and entry.position <= up_to_all
            and (cardinality(first_match.types) = 0 or entry.type = any (first_match.types))
            and not exists (
                select
                from unnest(others) other (tag)
                where ( -- not "exists", which the planner may answer with a hash of the whole table
                    select true
                    from ${flyway:defaultSchema}.event_tags another
                    where another.tag = other.tag
                    and another.position = entry.position
                ) is null
            )
            order by entry.position
            limit 1;
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
