package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.connection.ArrayText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The SQL that reads the events of a query, and its parameters. Each item is a probe with its own bounds. An event that
 * several items match is returned once. There are few texts, so each stays prepared: the text depends on the shape of a
 * single item, and not on the number of several.
 */
final class ReadStatement {
    /** The entries of a tag among which types are searched for at once. */
    private static final int MOST_NEAR = 64;

    /** Positions and event ids of heads, for the statements that check them. */
    static final int HEADS = 2;

    private final String schema;
    private final Direction direction;
    private final long smallBytes;
    /** Cached texts: the driver looks up prepared statements by text, and a cached string is hashed only once. */
    private final Map<Shape, String> texts = new ConcurrentHashMap<>();

    private enum Kind {
        SMALL_CHUNK,
        LARGE_CHUNK,
        LAST,
        EXISTS,
        COUNT
    }

    /** The ways to find the positions of the events that items match. */
    private enum Way {
        EVERYTHING,
        ONE_TAG,
        ONE_TAG_WITH_TYPES,
        LISTS,
        SEVERAL_OF_ONE_TAG,
        SEVERAL;

        static Way of(List<Probe> probes) {
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
    }

    /**
     * The key of a text.
     *
     * @param givenHeads whether the statement checks heads
     */
    private record Shape(Kind kind, Way way, boolean givenHeads) {}

    /**
     * A query item and the range of positions to search.
     *
     * @param above the exclusive lower bound
     * @param upTo the inclusive upper bound
     */
    record Probe(QueryItem item, Position above, Position upTo) {
        boolean hasOneTag() {
            return item.tags().size() == 1;
        }
    }

    /**
     * Creates the statements.
     *
     * @param smallBytes the maximum size of the events of a small chunk
     */
    ReadStatement(String schema, Direction direction, long smallBytes) {
        this.schema = schema;
        this.direction = direction;
        this.smallBytes = smallBytes;
    }

    /**
     * The head of the store and the events in reading direction, up to a number and a size in bytes, in one snapshot.
     * If the size ends the chunk, the first event beyond it is returned without payload, to indicate that there are
     * more.
     *
     * <p>The first row is the head and has no type. It has the position and id of the store's last event, the
     * incarnation in place of the payload, and the number of lost heads in place of the metadata. Positions and event
     * ids of the given heads, if there are any, are the first two parameters. Without parallel workers, as on the
     * store's connections, PostgreSQL runs the parts of a "union all" in order; the reader checks the order.
     *
     * @param small whether the size is that of a small chunk. No event of it may then have more than its share, so that
     *     the size need not be summed up, and even the first event may be beyond it
     */
    String chunk(boolean givenHeads, boolean small, List<Probe> probes) {
        return text(small ? Kind.SMALL_CHUNK : Kind.LARGE_CHUNK, givenHeads, probes);
    }

    /** The last event that matches. */
    String last(List<Probe> probes) {
        return text(Kind.LAST, false, probes);
    }

    /** Whether any event matches. */
    String exists(List<Probe> probes) {
        return text(Kind.EXISTS, false, probes);
    }

    /** The number of events that match. */
    String count(List<Probe> probes) {
        return text(Kind.COUNT, false, probes);
    }

    private String text(Kind kind, boolean givenHeads, List<Probe> probes) {
        return texts.computeIfAbsent(new Shape(kind, Way.of(probes), givenHeads), shape -> switch (shape.kind()) {
            case SMALL_CHUNK -> head(shape) + smallChunk(shape.way());
            case LARGE_CHUNK -> head(shape) + largeChunk(shape.way());
            case LAST -> "select %s from (%s) e limit 1".formatted(columns("true"), events(shape.way()));
            case EXISTS -> "select exists (select from (%s) m)".formatted(positions(shape.way()));
            case COUNT -> "select count(*) from (%s) m".formatted(positions(shape.way()));
        });
    }

    private String head(Shape shape) {
        String lost = shape.givenHeads() ? "(select count(*) %s)".formatted(lostHeads(schema)) : "0";
        return head(schema, lost + "::text, null::text") + " union all ";
    }

    /** The part that returns the head of the store as one row, followed by other columns. */
    static String head(String schema, String otherColumns) {
        return """
                (
                    select h.position, null::timestamptz, h.id, null, null, store.incarnation::text, %2$s
                    from %1$s.store
                    left join lateral (
                        select last.position, last.id from %1$s.events last order by last.position desc limit 1
                    ) h on true
                )""".formatted(schema, otherColumns);
    }

    /**
     * The clauses that find the given heads that the store has lost. The parameters are arrays of positions and event
     * ids.
     */
    static String lostHeads(String schema) {
        return """
                from unnest(?::bigint[], ?::uuid[]) known (position, id)
                where known.position > 0
                and known.id is distinct from (
                    select s.id from %s.events s where s.position = known.position
                )""".formatted(schema);
    }

    /** The columns of an event, of which those without a bound of their own are fetched only if a condition holds. */
    static String columns(String fits) {
        return """
                e.position, e.recorded_at, e.id, e.type,
                case when %1$s then e.tags::text end,
                case when %1$s then e.payload end,
                case when %1$s then e.metadata end,
                case when %1$s then e.actor end""".formatted(fits);
    }

    /**
     * The condition that an event is within its share of a small chunk: half of the bytes for the first event, which
     * often is large, and an equal share of the other half for each of them.
     */
    static String isWithinShare(long bytes, String first, String count) {
        return "e.size <= %1$s / case when e.position = %2$s then 1 else %3$s end".formatted(bytes / 2, first, count);
    }

    /*
     * Several items may find more positions than the chunk may have, and some of them twice. The events are limited
     * instead, and the index scan ignores duplicates in its array; they only make an event's share smaller. For one
     * item, "most" is null, which is no limit.
     */
    private String smallChunk(Way way) {
        boolean several = way == Way.SEVERAL_OF_ONE_TAG || way == Way.SEVERAL;
        String first = "(select %s(each) from unnest(listed.positions) each)"
                .formatted(direction == Direction.BACKWARDS ? "max" : "min");
        return """
                (
                    select %1$s
                    from (
                        select listed.*, %6$s as first
                        from (select array(%2$s) as positions, %3$s::bigint as most offset 0) listed
                        offset 0
                    ) found
                    cross join lateral (
                        select *
                        from %4$s.events
                        where position = any (found.positions)
                        order by position %5$s
                        limit found.most
                    ) e
                )""".formatted(
                columns(isWithinShare(smallBytes, "found.first", "least(cardinality(found.positions), found.most)")),
                several ? positionsOfEach(way) : positions(way),
                several ? "?" : "null",
                schema,
                order(),
                several ? first : "listed.positions[1]");
    }

    private String largeChunk(Way way) {
        return """
                (
                    select %1$s
                    from (
                        select
                            e.*,
                            sum(e.size) over walk as total,
                            row_number() over walk as number
                        from (%2$s) e
                        window walk as (order by e.position %3$s rows unbounded preceding)
                    ) e
                    cross join (select ?::bigint as bytes) room
                    where e.total - e.size <= room.bytes
                    or e.number = 2
                    order by e.position %3$s
                )""".formatted(columns("e.total <= room.bytes or e.total = e.size"), events(way), order());
    }

    /* The function leaves the comparison of few events to this statement, which reads them anyway. */
    private String events(Way way) {
        return switch (way) {
            case EVERYTHING -> "select * from %s.events where %s".formatted(schema, inReach());
            case LISTS -> """
                    with given as materialized (
                        select
                            ?::text[] as tags, ?::text[] as types, ?::bigint as above, ?::bigint as up_to,
                            ?::bigint as most
                    )
                    select *
                    from %1$s.events
                    where position = any (array(
                        select found.position
                        from given
                        cross join lateral %1$s.positions_in_lists(
                            given.tags, given.types, given.above, given.up_to, %2$s, given.most, true
                        ) found (position)
                    ))
                    and tags @> (select given.tags from given)
                    and (
                        (select given.types = '{}' from given)
                        or type = any ((select given.types from given)::text[])
                    )
                    order by position %3$s
                    limit (select given.most from given)""".formatted(schema, isBackwards(), order());
            default ->
                "select * from %s.events where position = any (array(%s)) order by position %s"
                        .formatted(schema, positions(way), order());
        };
    }

    private String positions(Way way) {
        return switch (way) {
            case EVERYTHING -> "select position from %s.events where %s".formatted(schema, inReach());
            case ONE_TAG -> "select position from %s.event_tags where tag = ? and %s".formatted(schema, inReach());
            case ONE_TAG_WITH_TYPES -> """
                    select found.position
                    from (
                        select
                            array[?]::text[] as tags, ?::text[] as types, ?::bigint as above, ?::bigint as up_to,
                            ?::bigint as most
                    ) wanted
                    cross join lateral (%s) found""".formatted(ofOneTag(schema, direction, "wanted.most"));
            case LISTS ->
                "select position from %s.positions_in_lists(?, ?, ?, ?, %s, ?, false) position"
                        .formatted(schema, isBackwards());
            case SEVERAL_OF_ONE_TAG, SEVERAL ->
                "select distinct position from (%s) matching order by position %s limit ?"
                        .formatted(positionsOfEach(way), order());
        };
    }

    /** The positions of each of several items, one item after the other. */
    private String positionsOfEach(Way way) {
        return """
                select found.position
                from (
                    select given.tags::text[] as tags, given.types::text[] as types, given.above, given.up_to
                    from unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[]) given (tags, types, above, up_to)
                    offset 0
                ) wanted
                cross join (select ?::bigint as most) bounds
                cross join lateral (%s) found""".formatted(found(schema, direction, way == Way.SEVERAL, "bounds.most"));
    }

    /**
     * The positions of the events that a row of the relation "wanted" matches, which is an item with its bounds.
     *
     * @param anyItems whether the items may have no tag or several tags
     * @param most the expression for the maximum number of positions
     */
    static String found(String schema, Direction direction, boolean anyItems, String most) {
        String ofOneTag = ofOneTag(schema, direction, most);
        return !anyItems
                ? ofOneTag
                : """
                select single.position
                from (%5$s) single
                where cardinality(wanted.tags) = 1
                union all
                select listed.position
                from %1$s.positions_in_lists(
                    wanted.tags, wanted.types, wanted.above, wanted.up_to, %3$s, %4$s, false
                ) listed (position)
                where cardinality(wanted.tags) <> 1
                union all
                (
                    select event.position
                    from %1$s.events event
                    where cardinality(wanted.tags) = 0
                    and cardinality(wanted.types) = 0
                    and event.position > wanted.above
                    and event.position <= wanted.up_to
                    order by event.position %2$s
                    limit %4$s
                )""".formatted(schema, order(direction), direction == Direction.BACKWARDS, most, ofOneTag);
    }

    /*
     * Usually the tag's events are few, or many of them have one of the types. So the types are compared in the tag's
     * next entries. If these are not enough, the tag and the types are two lists, of which the rarer leads. The limit
     * at the end keeps the second part from running after the first has returned enough.
     */
    private static String ofOneTag(String schema, Direction direction, String most) {
        boolean backwards = direction == Direction.BACKWARDS;
        String entries = """
                from %s.event_tags entry
                where entry.tag = wanted.tags[1]
                and entry.position > wanted.above
                and entry.position <= wanted.up_to
                order by entry.position %s""".formatted(schema, order(direction));
        return """
                (
                    select near.position
                    from (
                        select entry.position, entry.type
                        %1$s
                        limit case when cardinality(wanted.types) = 0 then %7$s else %2$s end
                    ) near
                    where cardinality(wanted.types) = 0
                    or near.type = any (wanted.types)
                )
                union all
                (
                    select more.position
                    from (select entry.position %1$s offset %2$s - 1 limit 1) last
                    cross join lateral %3$s.positions_in_lists(
                        wanted.tags, wanted.types, %4$s, %5$s, %6$s, %7$s, false
                    ) more (position)
                    where cardinality(wanted.types) > 0
                )
                limit %7$s""".formatted(
                        entries,
                        MOST_NEAR,
                        schema,
                        backwards ? "wanted.above" : "last.position",
                        backwards ? "last.position - 1" : "wanted.up_to",
                        backwards,
                        most);
    }

    private String inReach() {
        return "position > ? and position <= ? order by position %s limit ?".formatted(order());
    }

    private String order() {
        return order(direction);
    }

    private static String order(Direction direction) {
        return switch (direction) {
            case FORWARDS -> "asc";
            case BACKWARDS -> "desc";
        };
    }

    private boolean isBackwards() {
        return direction == Direction.BACKWARDS;
    }

    /**
     * Binds the size of a large chunk, the last parameter of its statement.
     *
     * @param bound the number of parameters before them
     * @param bytes the maximum size of the events in the chunk, unless its first event is larger
     */
    static void bindRoom(PreparedStatement statement, int bound, long bytes) throws SQLException {
        statement.setLong(bound + 1, bytes);
    }

    /**
     * Binds the parameters of the probes.
     *
     * @param bound the number of parameters before them
     * @param most the maximum number of events
     * @return the number of parameters bound
     */
    static int bind(PreparedStatement statement, int bound, List<Probe> probes, long most) throws SQLException {
        Connection connection = statement.getConnection();
        int parameter = bound;
        Way way = Way.of(probes);
        switch (way) {
            case EVERYTHING, ONE_TAG, ONE_TAG_WITH_TYPES, LISTS -> {
                Probe only = probes.getFirst();
                QueryItem item = only.item();
                if (way == Way.LISTS) {
                    statement.setArray(++parameter, connection.createArrayOf("text", texts(item.tags())));
                } else if (way != Way.EVERYTHING) {
                    statement.setString(
                            ++parameter, item.tags().iterator().next().value());
                }
                if (way == Way.LISTS || way == Way.ONE_TAG_WITH_TYPES) {
                    statement.setArray(
                            ++parameter,
                            connection.createArrayOf("text", item.types().toArray()));
                }
                statement.setLong(++parameter, only.above().value());
                statement.setLong(++parameter, only.upTo().value());
            }
            case SEVERAL_OF_ONE_TAG, SEVERAL -> {
                bindProbes(statement, parameter, probes);
                parameter += 4;
                statement.setLong(++parameter, most);
            }
        }
        statement.setLong(++parameter, most);
        return parameter;
    }

    /** Binds heads to check, the first parameters of a statement. */
    static void bindHeads(PreparedStatement statement, Collection<Head> heads) throws SQLException {
        Connection connection = statement.getConnection();
        Object[] positions = heads.stream().map(head -> head.position().value()).toArray();
        Object[] eventIds = heads.stream().map(Head::lastEventId).toArray();
        statement.setArray(1, connection.createArrayOf("bigint", positions));
        statement.setArray(2, connection.createArrayOf("uuid", eventIds));
    }

    /** Binds the tags, the types, the lower and the upper bounds of probes as four arrays. */
    static void bindProbes(PreparedStatement statement, int bound, List<Probe> probes) throws SQLException {
        int count = probes.size();
        String[] tags = new String[count];
        String[] types = new String[count];
        long[] above = new long[count];
        long[] upTo = new long[count];
        for (int i = 0; i < count; i++) {
            Probe probe = probes.get(i);
            tags[i] = ArrayText.of(List.of(texts(probe.item().tags())));
            types[i] = ArrayText.of(probe.item().types());
            above[i] = probe.above().value();
            upTo[i] = probe.upTo().value();
        }
        Connection connection = statement.getConnection();
        statement.setArray(bound + 1, connection.createArrayOf("text", tags));
        statement.setArray(bound + 2, connection.createArrayOf("text", types));
        statement.setObject(bound + 3, above);
        statement.setObject(bound + 4, upTo);
    }

    private static String[] texts(Set<Tag> tags) {
        return tags.stream().map(Tag::value).toArray(String[]::new);
    }

    /** The event of a row; null if the row indicates that more events follow than fit into the chunk. */
    static @Nullable SequencedEvent event(ResultSet row) throws SQLException {
        String payload = row.getString(6);
        if (payload == null) {
            return null;
        }
        List<Tag> tags = new ArrayList<>();
        for (String tag : ArrayText.parse(row.getString(5))) {
            tags.add(new Tag(tag));
        }
        return new SequencedEvent(
                Position.of(row.getLong(1)),
                Event.of(row.getObject(3, UUID.class), row.getString(4), tags, payload, row.getString(7)),
                row.getObject(2, OffsetDateTime.class).toInstant(),
                StoredActors.of(row.getString(8)));
    }

    /** One probe for each item, all with the same bounds. */
    static List<Probe> probes(List<QueryItem> items, Position above, Position upTo) {
        List<Probe> probes = new ArrayList<>(items.size());
        for (QueryItem item : items) {
            probes.add(new Probe(item, above, upTo));
        }
        return probes;
    }
}
