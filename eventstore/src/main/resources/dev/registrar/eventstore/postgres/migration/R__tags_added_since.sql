set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.tags_added_since;

-- The query items, by their numbers from 1, that name a tag which was added too late: after what the item's decision has read, to an
-- event up to there; or after the head up to which the item was checked, to an event up to there. Each has the position and the type
-- of the event that retag_events has appended. Any other event is searched for with all of its tags.
create function ${flyway:defaultSchema}.tags_added_since(
    first_tags text[],
    second_tags text[],
    tags text[], -- arrays as text: null for items of one or two tags
    read_ats bigint[], -- the head that an item's decision rests on, else its position
    aboves bigint[] -- the head up to which an item was checked, else as read_ats
) returns table (item int, "position" bigint, type text)
    language sql
    stable -- the planner puts its text in the place of the call
as $$
    select given.number::int, missed.position, event.type
    from unnest(first_tags, second_tags, tags, read_ats, aboves)
        with ordinality given (first_tag, second_tag, tags, read_at, above, number)
    cross join lateral (
        select min(addition.position) as position
        from ${flyway:defaultSchema}.tag_additions addition
        -- No event is at 0: what asks for the first event of its kind reads no additions.
        where greatest(given.read_at, given.above) > 0
        and (
            (addition.position > given.read_at and addition.first_event <= given.read_at)
            or (addition.position > given.above and addition.first_event <= given.above)
        )
        and addition.tag = any (
            coalesce(given.tags::text[], array_remove(array[given.first_tag, given.second_tag], null))
        )
    ) missed
    join ${flyway:defaultSchema}.events event on event.position = missed.position
$$;
