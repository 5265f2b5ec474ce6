package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.connection.ArrayText;
import dev.registrar.eventstore.postgres.connection.Parameters;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * The ways to find the positions of the events that query items match: the SQL, and its parameters. The SQL depends on
 * the shape of a single item, and not on the number of several, so there are few texts and each stays prepared. They
 * are templates for {@link ReadStatement#text}.
 */
enum PositionSearch {
    EVERYTHING("select position from {schema}.events where " + PositionSearch.IN_REACH),
    ONE_TAG("select position from {schema}.event_tags where tag = ? and " + PositionSearch.IN_REACH),
    ONE_TAG_WITH_TYPES("""
            select found.position
            from (
                select
                    array[?]::text[] as tags, ?::text[] as types, ?::bigint as above, ?::bigint as up_to, ?::bigint as most
            ) wanted
            cross join lateral (%s) found""".formatted(PositionSearch.OF_ONE_TAG)),
    LISTS("select position from {schema}.positions_in_lists(?, ?, ?, ?, {backwards}, ?, false) position"),
    SEVERAL_OF_ONE_TAG(PositionSearch.SEVERAL_ITEMS.formatted(PositionSearch.OF_ONE_TAG)),
    SEVERAL(PositionSearch.SEVERAL_ITEMS.formatted("""
            select single.position
            from (%s) single
            where cardinality(wanted.tags) = 1
            union all
            select listed.position
            from {schema}.positions_in_lists(
                wanted.tags, wanted.types, wanted.above, wanted.up_to, {backwards}, wanted.most, false
            ) listed (position)
            where cardinality(wanted.tags) <> 1
            union all
            (
                select event.position
                from {schema}.events event
                where cardinality(wanted.tags) = 0
                and cardinality(wanted.types) = 0
                and event.position > wanted.above
                and event.position <= wanted.up_to
                order by event.position {order}
                limit wanted.most
            )""".formatted(PositionSearch.OF_ONE_TAG)));

    /** The range of positions, in reading order, up to a number. */
    static final String IN_REACH = "position > ? and position <= ? order by position {order} limit ?";

    /**
     * The positions of the events that a row of the relation "wanted" matches, which is an item of one tag with its
     * bounds.
     *
     * <p>Usually the tag's events are few, or many of them have one of the types. So the types are compared in the
     * tag's next 64 entries. If these are not enough, the tag and the types are two lists, of which the rarer leads.
     * The limit at the end keeps the second part from running after the first has returned enough.
     */
    static final String OF_ONE_TAG = """
            (
                select near.position
                from (
                    select entry.position, entry.type
                    from {schema}.event_tags entry
                    where entry.tag = wanted.tags[1]
                    and entry.position > wanted.above
                    and entry.position <= wanted.up_to
                    order by entry.position {order}
                    limit case when cardinality(wanted.types) = 0 then wanted.most else 64 end
                ) near
                where cardinality(wanted.types) = 0
                or near.type = any (wanted.types)
            )
            union all
            (
                select more.position
                from (
                    select entry.position
                    from {schema}.event_tags entry
                    where entry.tag = wanted.tags[1]
                    and entry.position > wanted.above
                    and entry.position <= wanted.up_to
                    order by entry.position {order}
                    offset 63
                    limit 1
                ) last
                cross join lateral {schema}.positions_in_lists(
                    wanted.tags,
                    wanted.types,
                    case when {backwards} then wanted.above else last.position end,
                    case when {backwards} then last.position - 1 else wanted.up_to end,
                    {backwards},
                    wanted.most,
                    false
                ) more (position)
                where cardinality(wanted.types) > 0
            )
            limit wanted.most""";

    /** The positions of several items, each of which may find as many as there may be in all. */
    private static final String SEVERAL_ITEMS = """
            select distinct position
            from (
                select found.position
                from (
                    select
                        given.tags::text[] as tags, given.types::text[] as types, given.above, given.up_to, bounds.most
                    from unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[]) given (tags, types, above, up_to)
                    cross join (select ?::bigint as most) bounds
                    offset 0
                ) wanted
                cross join lateral (%s) found
            ) matching
            order by position {order}
            limit ?""";

    private final String positions;

    PositionSearch(String positions) {
        this.positions = positions;
    }

    /** The way for these probes. */
    static PositionSearch of(List<Probe> probes) {
        if (probes.size() > 1) {
            return probes.stream().allMatch(Probe::hasOneTag) ? SEVERAL_OF_ONE_TAG : SEVERAL;
        }
        Probe only = probes.getFirst();
        boolean typed = !only.item().types().isEmpty();
        if (only.hasOneTag()) {
            return typed ? ONE_TAG_WITH_TYPES : ONE_TAG;
        }
        return typed || !only.item().tags().isEmpty() ? LISTS : EVERYTHING;
    }

    /** The positions, in reading order. */
    String positions() {
        return positions;
    }

    /** The events, in reading order. */
    String events() {
        return switch (this) {
            case EVERYTHING -> "select * from {schema}.events where " + IN_REACH;
            // The function leaves the comparison of few events to this statement, which reads them anyway.
            case LISTS -> """
                    with given as materialized (
                        select
                            ?::text[] as tags, ?::text[] as types, ?::bigint as above, ?::bigint as up_to,
                            ?::bigint as most
                    )
                    select *
                    from {schema}.events
                    where position = any (array(
                        select found.position
                        from given
                        cross join lateral {schema}.positions_in_lists(
                            given.tags, given.types, given.above, given.up_to, {backwards}, given.most, true
                        ) found (position)
                    ))
                    and tags @> (select given.tags from given)
                    and (
                        (select given.types = '{}' from given)
                        or type = any ((select given.types from given)::text[])
                    )
                    order by position {order}
                    limit (select given.most from given)""";
            case ONE_TAG, ONE_TAG_WITH_TYPES, SEVERAL_OF_ONE_TAG, SEVERAL -> """
                    select *
                    from {schema}.events
                    where position = any (array(%s))
                    order by position {order}""".formatted(positions);
        };
    }

    /**
     * Binds the parameters.
     *
     * @param most the maximum number of positions or events
     */
    void bind(Parameters parameters, List<Probe> probes, long most) throws SQLException {
        Probe first = probes.getFirst();
        QueryItem item = first.item();
        switch (this) {
            case EVERYTHING -> bindBounds(parameters, first);
            case ONE_TAG -> bindBounds(parameters.add(texts(item.tags())[0]), first);
            case ONE_TAG_WITH_TYPES ->
                bindBounds(parameters.add(texts(item.tags())[0]).add(types(item)), first);
            case LISTS -> bindBounds(parameters.add(texts(item.tags())).add(types(item)), first);
            case SEVERAL_OF_ONE_TAG, SEVERAL -> {
                bindProbes(parameters, probes);
                parameters.add(most);
            }
        }
        parameters.add(most);
    }

    private static void bindBounds(Parameters parameters, Probe probe) throws SQLException {
        parameters.add(probe.above().value()).add(probe.upTo().value());
    }

    /** Binds the tags, the types, the lower and the upper bounds of probes as four arrays. */
    static void bindProbes(Parameters parameters, List<Probe> probes) throws SQLException {
        parameters
                .add(probes.stream()
                        .map(probe -> ArrayText.ofTags(probe.item().tags()))
                        .toArray(String[]::new))
                .add(probes.stream()
                        .map(probe -> ArrayText.of(probe.item().types()))
                        .toArray(String[]::new))
                .add(probes.stream().mapToLong(probe -> probe.above().value()).toArray())
                .add(probes.stream().mapToLong(probe -> probe.upTo().value()).toArray());
    }

    private static String[] texts(Set<Tag> tags) {
        return tags.stream().map(Tag::value).toArray(String[]::new);
    }

    private static String[] types(QueryItem item) {
        return item.types().toArray(String[]::new);
    }
}
