package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.ReadOptions.Direction;

/** The SQL that finds the events of one query item with several tags. */
final class SeveralTags {
    /*
     * The rarest tag is the one whose next 16 events reach farthest. If its events lie far apart in the entries of the
     * second-rarest tag, a search for their positions there descends the index once for each, which costs as much as
     * reading the events. Then all of its events are read and their own tags compared, if they are at most as many as
     * the read asks for at a time. Otherwise the stored function intersects the entries, which are neighbours, and only
     * matching events are read. A few events are always compared, because calling the function costs more.
     */

    /** With this number of events or fewer, the rarest tag's events are always compared. */
    private static final int ALWAYS_COMPARED = 64;

    /** The maximum number of events of the rarest tag that are compared. */
    private static final int MOST_COMPARED = 1_000;

    /**
     * The number of the second-rarest tag's entries between two events of the rarest from which these are far apart.
     */
    private static final int FAR_APART = 16;

    private SeveralTags() {}

    /**
     * The columns of the events, in reading order. The parameters are the tags, the types, the exclusive lower and the
     * inclusive upper bound of the positions, and the maximum number of events.
     */
    static String events(String schema, Direction direction) {
        return """
                with candidates as materialized (
                    select
                        case
                            when nearest.compared then nearest.positions
                            else array(
                                select found.position
                                from %1$s.positions_with_tags(
                                    nearest.tags, nearest.types, nearest.above, nearest.up_to, %2$s, nearest.most
                                ) found (position)
                            )
                        end as positions,
                        nearest.compared, nearest.tags, nearest.types, nearest.most
                    from (
                        select
                            rarest.*,
                            case
                                when cardinality(rarest.positions) <= %5$s then true
                                when cardinality(rarest.positions) > least(rarest.most, %6$s) then false
                                else (
                                    select
                                        abs(rarest.positions[16] - rarest.positions[1])
                                            > %7$s * abs(ahead.positions[16] - ahead.positions[1])
                                    from %1$s.tags_ahead(rarest.tags, rarest.above, rarest.up_to, %2$s) ahead
                                    order by ahead.positions[16] %4$s
                                    offset 1 -- the second-rarest tag, which the function intersects first
                                    limit 1
                                )
                            end as compared
                        from (
                            select
                                given.*,
                                array(
                                    select entry.position
                                    from %1$s.event_tags entry
                                    where entry.tag = (
                                        select ahead.tag
                                        from %1$s.tags_ahead(given.tags, given.above, given.up_to, %2$s) ahead
                                        order by
                                            cardinality(ahead.positions),
                                            ahead.positions[cardinality(ahead.positions)] %4$s
                                        limit 1
                                    )
                                    and entry.position > given.above
                                    and entry.position <= given.up_to
                                    order by entry.position %3$s
                                    limit least(greatest(given.most, %5$s), %6$s) + 1
                                ) as positions
                            from (
                                select
                                    ?::text[] as tags, ?::text[] as types, ?::bigint as above, ?::bigint as up_to,
                                    ?::bigint as most
                            ) given
                            offset 0 -- the list is made once
                        ) rarest
                        offset 0
                    ) nearest
                )
                select event.*
                from %1$s.events event
                where event.position = any ((select positions from candidates)::bigint[])
                and (
                    not (select compared from candidates)
                    or (
                        event.tags @> (select tags from candidates)
                        and (
                            (select types = '{}' from candidates)
                            or event.type = any ((select types from candidates)::text[])
                        )
                    )
                )
                order by event.position %3$s
                limit (select most from candidates)""".formatted(
                        schema,
                        direction == Direction.BACKWARDS,
                        direction == Direction.BACKWARDS ? "desc" : "asc",
                        direction == Direction.BACKWARDS ? "asc" : "desc",
                        ALWAYS_COMPARED,
                        MOST_COMPARED,
                        FAR_APART);
    }
}
