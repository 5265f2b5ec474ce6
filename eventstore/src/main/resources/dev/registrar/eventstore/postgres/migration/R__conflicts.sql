set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.conflicts;

-- The first event that each query item matches: for the given items as far as a bounded search tells (quick_matches), and for the
-- items whose match is known from a check. A row without a position is an item that the bounded search could not judge.
create function ${flyway:defaultSchema}.conflicts(
    items bigint[], -- of items_perhaps_matched
    first_tags text[],
    second_tags text[],
    tags text[], -- arrays as text: null for items of one or two tags
    types text[], -- arrays as text
    aboves bigint[],
    known_matches bigint[] -- null: none is known
) returns table (item int, "position" bigint, type text)
    language sql
    stable -- the planner puts its text in the place of the call
as $$
    select match.item, match.position, match.type
    from ${flyway:defaultSchema}.quick_matches(items, first_tags, second_tags, tags, types, aboves) match
    union all
    select known.item::int, known.position, event.type
    from unnest(known_matches) with ordinality known (position, item)
    join ${flyway:defaultSchema}.events event on event.position = known.position
$$;
