-- The tags that events within bounds carry, each with its next events in reading order: how many of 16 there are, and the lowest and
-- the highest of their positions. A tag without events there has no row. So of two tags, the rarer one's 16 events reach farther.
create function ${flyway:defaultSchema}.tags_ahead_3(
    tags text[],
    above bigint,
    up_to bigint,
    backwards boolean
) returns table (tag text, events bigint, lowest bigint, highest bigint)
    language sql
    stable -- the planner puts its text in the place of the call
as $$
    select wanted.tag, ahead.events, ahead.lowest, ahead.highest
    from unnest(tags) wanted (tag)
    cross join lateral (
        select count(*) as events, min(next.position) as lowest, max(next.position) as highest
        from (
            (
                select entry.position
                from ${flyway:defaultSchema}.event_tags entry
                where not backwards
                and entry.tag = wanted.tag
                and entry.position > above
                and entry.position <= up_to
                order by entry.position
                limit 16
            )
            union all
            (
                select entry.position
                from ${flyway:defaultSchema}.event_tags entry
                where backwards
                and entry.tag = wanted.tag
                and entry.position > above
                and entry.position <= up_to
                order by entry.position desc
                limit 16
            )
        ) next
    ) ahead
    where ahead.events > 0
$$;
