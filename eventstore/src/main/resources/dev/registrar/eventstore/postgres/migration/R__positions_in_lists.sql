set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.positions_in_lists;

-- The positions of the events that one query item with tags or types matches, in reading order: those that are in all of its lists.
-- Each tag has a list, and the types have one together.
--
-- The function reads one list in chunks: for each chunk the list that is the rarest from there on, as far as its next 16 events tell.
-- The positions of a chunk are looked up in the entries of each of the other tags at once, of rarer tags first. The entries have the
-- type, too. PostgreSQL descends the index where positions lie apart, and reads on where they are neighbours. So the cost depends on
-- the rarest list, and only the positions of a chunk are in memory.
--
-- A caller that reads the events itself, and compares their tags and types, asks for candidates. The last chunk of the rarest list is
-- then returned as it is, if it is short, or if its events lie so far apart in the second-rarest list that to look one up there
-- costs as much as to read it.
create function ${flyway:defaultSchema}.positions_in_lists(
    tags text[],
    types text[],
    above bigint,
    up_to bigint,
    backwards boolean,
    most bigint, -- candidates may be more
    candidates boolean
) returns setof bigint
    language plpgsql
    stable -- has the snapshot of the statement that calls it
as $$
declare
    largest_chunk constant bigint := 4096;
    most_compared constant bigint := 1000;
    always_compared constant bigint := 64;
    far_apart constant bigint := 16; -- entries of the second-rarest list for each of the rarest
    chunk_size bigint := least(greatest(positions_in_lists.most, always_compared), largest_chunk);
    lower_bound bigint := positions_in_lists.above;
    upper_bound bigint := positions_in_lists.up_to;
    still_wanted bigint := positions_in_lists.most;
    by_rarity text[]; -- the tags of the lists; null: the list of the types
    spans bigint[]; -- the distances between the first and the last of the next events of each
    next_in_all bigint; -- no event before it is in all lists; null: none is
    probed text[];
    probed_tag text;
    chunk bigint[];
    is_last boolean;
    returned bigint;
begin
    -- There is nothing to intersect, so the types' entries are read once, however many they are.
    if cardinality(positions_in_lists.tags) = 0 and not positions_in_lists.backwards then
        return query
        select near.position
        from unnest(positions_in_lists.types) wanted (type)
        cross join lateral (
            select event.position
            from ${flyway:defaultSchema}.events event
            where (event.type, event.position) > (wanted.type, positions_in_lists.above)
            and (event.type, event.position) <= (wanted.type, positions_in_lists.up_to)
            order by event.type, event.position
            limit positions_in_lists.most
        ) near
        order by near.position
        limit positions_in_lists.most;
        return;
    elsif cardinality(positions_in_lists.tags) = 0 then
        return query
        select near.position
        from unnest(positions_in_lists.types) wanted (type)
        cross join lateral (
            select event.position
            from ${flyway:defaultSchema}.events event
            where (event.type, event.position) > (wanted.type, positions_in_lists.above)
            and (event.type, event.position) <= (wanted.type, positions_in_lists.up_to)
            order by event.type desc, event.position desc
            limit positions_in_lists.most
        ) near
        order by near.position desc
        limit positions_in_lists.most;
        return;
    end if;

    while still_wanted > 0 and lower_bound < upper_bound loop
        select
            array_agg(ahead.tag order by ahead.number, ahead.reach desc),
            array_agg(abs(ahead.last - ahead.first) order by ahead.number, ahead.reach desc),
            case
                when min(ahead.number) = 0 then null
                when positions_in_lists.backwards then min(ahead.first)
                else max(ahead.first)
            end
        into by_rarity, spans, next_in_all
        from (
            select
                list.tag,
                cardinality(list.positions) as number,
                list.positions[1] as first,
                list.positions[cardinality(list.positions)] as last,
                -- A chunk of the types' list takes as many entries of each type, so it is read first only if it is rarer by their number.
                case
                    when list.tag is null
                        then list.positions[1]
                            + (list.positions[cardinality(list.positions)] - list.positions[1])
                            / cardinality(positions_in_lists.types)
                    else list.positions[cardinality(list.positions)]
                end
                * case
                    when positions_in_lists.backwards then -1
                    else 1
                end as reach
            from ${flyway:defaultSchema}.lists_ahead(
                positions_in_lists.tags,
                positions_in_lists.types,
                lower_bound,
                upper_bound,
                positions_in_lists.backwards,
                16
            ) list
        ) ahead;
        exit when next_in_all is null;

        if positions_in_lists.backwards then
            upper_bound := next_in_all;
        else
            lower_bound := next_in_all - 1;
        end if;
        select list.positions
        into chunk
        from ${flyway:defaultSchema}.lists_ahead(
            array_remove(by_rarity[1:1], null),
            case when by_rarity[1] is null then positions_in_lists.types else '{}' end,
            lower_bound,
            upper_bound,
            positions_in_lists.backwards,
            chunk_size
        ) list;
        is_last := cardinality(chunk) < chunk_size;
        if positions_in_lists.backwards then
            upper_bound := chunk[cardinality(chunk)] - 1;
        else
            lower_bound := chunk[cardinality(chunk)];
        end if;

        if positions_in_lists.candidates
            and is_last
            and (
                cardinality(chunk) < always_compared
                or (cardinality(chunk) <= most_compared and spans[1] > far_apart * spans[2])
            )
        then
            return query
            select listed.position
            from unnest(chunk) listed (position);
            return;
        end if;

        probed := array_remove(by_rarity[2:], null);
        if probed = '{}' and cardinality(positions_in_lists.types) > 0 and by_rarity[1] is not null then
            probed := by_rarity[1:1]; -- compares the types
        end if;
        foreach probed_tag in array probed loop
            chunk := array(
                select entry.position
                from ${flyway:defaultSchema}.event_tags entry
                where entry.tag = probed_tag
                and entry.position = any (chunk)
                and (cardinality(positions_in_lists.types) = 0 or entry.type = any (positions_in_lists.types))
                order by entry.position
            );
        end loop;
        return query
        select listed.position
        from unnest(chunk) listed (position)
        order by case when positions_in_lists.backwards then -listed.position else listed.position end
        limit still_wanted;
        get diagnostics returned = row_count;
        still_wanted := still_wanted - returned;

        exit when is_last;
        chunk_size := least(chunk_size * 4, largest_chunk);
    end loop;
end
$$;
