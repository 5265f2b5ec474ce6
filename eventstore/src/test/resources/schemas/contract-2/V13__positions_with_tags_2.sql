-- The positions of the events that carry all of several tags, in reading order. It leaps: from a candidate it probes
-- each tag for its next position and goes on from the farthest of them, so the rarest tag decides the cost, whatever the order
-- of the tags.
create function ${flyway:defaultSchema}.positions_with_tags_2(
    tags text[],
    types text[],
    above bigint,
    up_to bigint,
    backwards boolean,
    most bigint
) returns setof bigint
    language plpgsql
    stable
as $$
declare
    lower_bound bigint := positions_with_tags_2.above;
    upper_bound bigint := positions_with_tags_2.up_to;
    nearest bigint;
    farthest bigint;
    tags_left bigint;
    event_type text;
    found_so_far bigint := 0;
begin
    while found_so_far < positions_with_tags_2.most and lower_bound < upper_bound loop
        if positions_with_tags_2.backwards then
            select max(probe.position), min(probe.position), count(*), min(probe.type)
            into nearest, farthest, tags_left, event_type
            from unnest(positions_with_tags_2.tags) wanted (tag)
            cross join lateral (
                select entry.position, entry.type
                from ${flyway:defaultSchema}.event_tags entry
                where entry.tag = wanted.tag
                and entry.position > lower_bound
                and entry.position <= upper_bound
                order by entry.position desc
                limit 1
            ) probe;
        else
            select min(probe.position), max(probe.position), count(*), min(probe.type)
            into nearest, farthest, tags_left, event_type
            from unnest(positions_with_tags_2.tags) wanted (tag)
            cross join lateral (
                select entry.position, entry.type
                from ${flyway:defaultSchema}.event_tags entry
                where entry.tag = wanted.tag
                and entry.position > lower_bound
                and entry.position <= upper_bound
                order by entry.position
                limit 1
            ) probe;
        end if;
        exit when tags_left < cardinality(positions_with_tags_2.tags);
        if nearest = farthest then
            if cardinality(positions_with_tags_2.types) = 0 or event_type = any (positions_with_tags_2.types) then
                found_so_far := found_so_far + 1;
                return next nearest;
            end if;
            if positions_with_tags_2.backwards then
                upper_bound := nearest - 1;
            else
                lower_bound := nearest;
            end if;
        elsif positions_with_tags_2.backwards then
            upper_bound := farthest;
        else
            lower_bound := farthest - 1;
        end if;
    end loop;
end
$$;
