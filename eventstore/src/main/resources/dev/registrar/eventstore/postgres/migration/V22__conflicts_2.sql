-- The first event that each query item matches: of the items in use (items_in_use_2) as far as a quick look tells, and of those
-- whose match is known from a check. A row without a position is an item that the quick look could not judge.
create function ${flyway:defaultSchema}.conflicts_2(
    items bigint[],
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
    from ${flyway:defaultSchema}.quick_matches_2(items, first_tags, second_tags, tags, types, aboves) match
    union all
    select known.item::int, known.position, event.type
    from unnest(known_matches) with ordinality known (position, item)
    join ${flyway:defaultSchema}.events event on event.position = known.position
$$;
