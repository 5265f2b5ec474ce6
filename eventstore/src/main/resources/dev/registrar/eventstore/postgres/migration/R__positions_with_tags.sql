set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.positions_with_tags;

-- The positions of the events that carry all of several tags, in reading order.
--
-- The function reads the events of one tag in chunks: for each chunk the tag that is the rarest from there on, as far as its next
-- 16 events tell. The positions of a chunk are looked up in the entries of each of the other tags at once, of rarer tags first.
-- PostgreSQL descends the index where positions lie apart, and reads on where they are neighbours. So the cost depends on the
-- rarest tag, whatever the order of the tags, and only the positions of a chunk are in memory.
create function ${flyway:defaultSchema}.positions_with_tags(
    tags text[],
    types text[],
    above bigint,
    up_to bigint,
    backwards boolean,
    most bigint
) returns setof bigint
    language plpgsql
    stable -- has the snapshot of the statement that calls it
as $$
declare
    largest_chunk constant bigint := 4096;
    chunk_size bigint := least(greatest(positions_with_tags.most, 64), largest_chunk);
    lower_bound bigint := positions_with_tags.above;
    upper_bound bigint := positions_with_tags.up_to;
    still_wanted bigint := positions_with_tags.most;
    next_in_all bigint; -- no event before it carries all the tags; null: none does
    by_rarity text[];
    chunk bigint[];
    carriers bigint[]; -- the events of the chunk that carry the tags looked up so far
    between_tag text;
    returned bigint;
begin
    while still_wanted > 0 and lower_bound < upper_bound loop
        select
            array_agg(
                ahead.tag
                order by
                    cardinality(ahead.positions),
                    case when positions_with_tags.backwards then 1 else -1 end * ahead.positions[cardinality(ahead.positions)]
            ),
            case
                when bool_or(ahead.positions = '{}') then null
                when positions_with_tags.backwards then min(ahead.positions[1])
                else max(ahead.positions[1])
            end
        into by_rarity, next_in_all
        from ${flyway:defaultSchema}.tags_ahead(
            positions_with_tags.tags, lower_bound, upper_bound, positions_with_tags.backwards
        ) ahead;
        exit when next_in_all is null;

        if positions_with_tags.backwards then
            upper_bound := next_in_all;
            chunk := array(
                select entry.position
                from ${flyway:defaultSchema}.event_tags entry
                where entry.tag = by_rarity[1]
                and entry.position > lower_bound
                and entry.position <= upper_bound
                order by entry.position desc
                limit chunk_size
            );
            upper_bound := chunk[cardinality(chunk)] - 1;
        else
            lower_bound := next_in_all - 1;
            chunk := array(
                select entry.position
                from ${flyway:defaultSchema}.event_tags entry
                where entry.tag = by_rarity[1]
                and entry.position > lower_bound
                and entry.position <= upper_bound
                order by entry.position
                limit chunk_size
            );
            lower_bound := chunk[cardinality(chunk)];
        end if;

        carriers := chunk;
        foreach between_tag in array by_rarity[2:cardinality(by_rarity) - 1] loop
            carriers := array(
                select entry.position
                from ${flyway:defaultSchema}.event_tags entry
                where entry.tag = between_tag
                and entry.position = any (carriers)
                order by entry.position
            );
        end loop;
        if positions_with_tags.backwards then
            return query
            select entry.position
            from ${flyway:defaultSchema}.event_tags entry
            where entry.tag = by_rarity[cardinality(by_rarity)]
            and entry.position = any (carriers)
            and (cardinality(positions_with_tags.types) = 0 or entry.type = any (positions_with_tags.types))
            order by entry.position desc
            limit still_wanted;
        else
            return query
            select entry.position
            from ${flyway:defaultSchema}.event_tags entry
            where entry.tag = by_rarity[cardinality(by_rarity)]
            and entry.position = any (carriers)
            and (cardinality(positions_with_tags.types) = 0 or entry.type = any (positions_with_tags.types))
            order by entry.position
            limit still_wanted;
        end if;
        get diagnostics returned = row_count;
        still_wanted := still_wanted - returned;

        exit when cardinality(chunk) < chunk_size;
        chunk_size := least(chunk_size * 4, largest_chunk);
    end loop;
end
$$;
