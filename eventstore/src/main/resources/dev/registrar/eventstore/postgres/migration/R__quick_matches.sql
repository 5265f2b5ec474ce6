set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.quick_matches;

-- The result of a bounded search for the given query items: for each the first event above its position that it matches. There is no
-- row if certainly no event matches, and a row without a position if only a longer search can tell.
--
-- This runs under the store's lock, while all other appends wait. So it reads at most 8 events for each tag of an item. For the
-- first items that are still open, with at most 128 tags together, it then reads at most 64.
create function ${flyway:defaultSchema}.quick_matches(
    items bigint[],
    first_tags text[],
    second_tags text[],
    tags text[], -- arrays as text: null for items of one or two tags
    types text[], -- arrays as text
    aboves bigint[]
) returns table (item int, "position" bigint, type text)
    language plpgsql
    stable -- has the snapshot of the statement that calls it
as $$
#variable_conflict use_column
declare
    few constant int := 8;
    many constant int := 64;
    most_tags constant int := 128;
    still_open bigint[];
    looked_at bigint[];
    item_numbers int[];
    positions bigint[];
    event_types text[];
begin
    select array_agg(match.item), array_agg(match.position), array_agg(match.type)
    into item_numbers, positions, event_types
    from ${flyway:defaultSchema}.matches_among_few(
        quick_matches.items,
        quick_matches.first_tags,
        quick_matches.second_tags,
        quick_matches.tags,
        quick_matches.types,
        quick_matches.aboves,
        few
    ) match;
    still_open := array(
        select match.item
        from unnest(item_numbers, positions) match (item, position)
        where match.position is null
    );
    if still_open = '{}' then
        return query
        select match.item, match.position, match.type
        from unnest(item_numbers, positions, event_types) match (item, position, type);
        return;
    end if;

    looked_at := array(
        select counted.item
        from (
            select
                each.item,
                sum(coalesce(cardinality(quick_matches.tags[each.item]::text[]), 2)) over (order by each.item) as tags_so_far
            from unnest(still_open) each (item)
        ) counted
        where counted.tags_so_far <= most_tags
    );
    return query
    select match.item, match.position, match.type
    from unnest(item_numbers, positions, event_types) match (item, position, type)
    where match.item <> all (looked_at)
    union all
    select match.item, match.position, match.type
    from ${flyway:defaultSchema}.matches_among_few(
        looked_at,
        quick_matches.first_tags,
        quick_matches.second_tags,
        quick_matches.tags,
        quick_matches.types,
        quick_matches.aboves,
        many
    ) match;
end
$$;
