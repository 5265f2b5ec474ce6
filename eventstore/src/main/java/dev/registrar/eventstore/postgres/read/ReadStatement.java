package dev.registrar.eventstore.postgres.read;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.registrar.eventstore.Event;
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
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The SQL that reads the events of a query, and its parameters. Each item is a probe with its own bounds. A union
 * combines the probes, so an event that several items match is returned once. The text depends only on the shapes of
 * the items: with or without types; with no tag, one tag or several tags. From {@value #MANY} items with one tag on, it
 * does not depend on their number. So there are few texts, and each stays prepared.
 */
final class ReadStatement {
    private static final int MANY = 5;
    private static final int MOST_TEXTS = 500;

    private final String schema;
    private final Direction direction;
    /** Cached texts: the driver looks up prepared statements by text, and a cached string is hashed only once. */
    private final Cache<Shape, String> texts = Caffeine.newBuilder()
            .maximumSize(MOST_TEXTS)
            .executor(Runnable::run)
            .build();

    private enum Kind {
        EVENTS,
        HEAD_AND_EVENTS,
        LOST_HEADS_AND_EVENTS,
        EXISTS,
        COUNT
    }

    /**
     * The key of a text.
     *
     * @param items one character for the combined probes if there are any, then a letter for each separate probe
     */
    private record Shape(Kind kind, String items) {}

    /**
     * A query item and the range of positions to search.
     *
     * @param above the exclusive lower bound
     * @param upTo the inclusive upper bound
     */
    record Probe(QueryItem item, Position above, Position upTo) {}

    ReadStatement(String schema, Direction direction) {
        this.schema = schema;
        this.direction = direction;
    }

    /**
     * The events in reading direction, up to a number and a size in bytes. If the size ends the chunk, the first event
     * beyond it is returned without payload and metadata, to indicate that there are more.
     */
    String events(List<Probe> probes) {
        return text(Kind.EVENTS, probes);
    }

    /* Payloads are fetched only for the rows that are sent. */
    private String eventsText(List<Probe> probes) {
        return """
                select
                    e.position, e.recorded_at, e.id, e.type, e.tags,
                    case when e.total <= room.bytes or (room.for_one and e.total = e.size) then e.payload end,
                    case when e.total <= room.bytes or (room.for_one and e.total = e.size) then e.metadata end,
                    e.actor
                from (
                    select
                        e.*,
                        sum(e.size) over walk as total,
                        row_number() over walk as number
                    from (%s) e
                    window walk as (order by e.position %s rows unbounded preceding)
                ) e
                cross join (values (?::bigint, ?::boolean)) room (bytes, for_one)
                where e.total - e.size <= room.bytes or e.number = 2
                order by e.position %s""".formatted(matching(probes), order(), order());
    }

    private String matching(List<Probe> probes) {
        if (isEverything(probes)) {
            return "select * from %s.events where %s".formatted(schema, inReach());
        }
        if (isOfSeveralTags(probes)) {
            return SeveralTags.events(schema, direction);
        }
        return "select * from %s.events where position = any (array(select m.position from (%s) m))"
                .formatted(schema, positions(probes));
    }

    /**
     * The head of the store and the events, in one snapshot. The first row is the head and has no type. It has the
     * position and id of the store's last event, the incarnation in place of the payload, and the number of lost heads
     * in place of the metadata. Positions and event ids of the given heads, if there are any, are the first two
     * parameters. Without parallel workers, as on the store's connections, PostgreSQL runs the parts of a "union all"
     * in order; the reader checks the order.
     */
    String headAndEvents(boolean givenHeads, List<Probe> probes) {
        return text(givenHeads ? Kind.LOST_HEADS_AND_EVENTS : Kind.HEAD_AND_EVENTS, probes);
    }

    private String headAndEventsText(boolean givenHeads, List<Probe> probes) {
        String lost = givenHeads ? "(select count(*) %s)".formatted(lostHeads(schema)) : "0";
        return "%s union all (%s)".formatted(head(schema, lost + "::text, null::text"), eventsText(probes));
    }

    /** The part that returns the head of the store as one row, followed by other columns. */
    static String head(String schema, String otherColumns) {
        return """
                (
                    select h.position, null::timestamptz, h.id, null, null::text[], store.incarnation::text, %2$s
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

    /** Whether any event matches. */
    String exists(List<Probe> probes) {
        return text(Kind.EXISTS, probes);
    }

    /** The number of events that match. */
    String count(List<Probe> probes) {
        return text(Kind.COUNT, probes);
    }

    private String text(Kind kind, List<Probe> probes) {
        return texts.get(new Shape(kind, shape(probes)), shape -> switch (kind) {
            case EVENTS -> eventsText(probes);
            case HEAD_AND_EVENTS -> headAndEventsText(false, probes);
            case LOST_HEADS_AND_EVENTS -> headAndEventsText(true, probes);
            case EXISTS -> "select exists (select from (%s) m)".formatted(positions(probes));
            case COUNT -> "select count(*) from (%s) m".formatted(positions(probes));
        });
    }

    private static String shape(List<Probe> probes) {
        StringBuilder shape = new StringBuilder();
        if (!together(probes).isEmpty()) {
            shape.append('*');
        }
        for (Probe probe : apart(probes)) {
            QueryItem item = probe.item();
            int tags = Math.min(item.tags().size(), 2);
            shape.append((char) ((item.types().isEmpty() ? 'a' : 'A') + tags));
        }
        return shape.toString();
    }

    /**
     * Binds the size of a chunk, the last parameters of a statement that reads events.
     *
     * @param bound the number of parameters before them
     * @param bytes the maximum size of the events in the chunk
     * @param forOne whether the chunk contains its first event whatever its size
     */
    static void bindRoom(PreparedStatement statement, int bound, long bytes, boolean forOne) throws SQLException {
        statement.setLong(bound + 1, bytes);
        statement.setBoolean(bound + 2, forOne);
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
        List<Probe> together = together(probes);
        if (!together.isEmpty()) {
            bindTogether(statement, parameter, together, most);
            parameter += 5;
        }
        for (Probe probe : apart(probes)) {
            QueryItem item = probe.item();
            boolean severalTags = item.tags().size() > 1;
            if (severalTags) {
                statement.setArray(++parameter, connection.createArrayOf("text", texts(item.tags())));
            } else if (item.tags().size() == 1) {
                statement.setString(++parameter, item.tags().iterator().next().value());
            }
            if (severalTags || !item.types().isEmpty()) {
                statement.setArray(
                        ++parameter,
                        connection.createArrayOf("text", item.types().toArray()));
            }
            statement.setLong(++parameter, probe.above().value());
            statement.setLong(++parameter, probe.upTo().value());
            statement.setLong(++parameter, most);
            if (item.tags().isEmpty() && !item.types().isEmpty()) {
                statement.setLong(++parameter, most);
            }
        }
        if (probes.size() > 1) {
            statement.setLong(++parameter, most);
        }
        return parameter;
    }

    private static void bindTogether(PreparedStatement statement, int bound, List<Probe> probes, long most)
            throws SQLException {
        String[] tags = new String[probes.size()];
        String[] types = new String[probes.size()];
        long[] above = new long[probes.size()];
        long[] upTo = new long[probes.size()];
        for (int i = 0; i < probes.size(); i++) {
            Probe probe = probes.get(i);
            tags[i] = probe.item().tags().iterator().next().value();
            types[i] = ArrayText.of(probe.item().types());
            above[i] = probe.above().value();
            upTo[i] = probe.upTo().value();
        }
        Connection connection = statement.getConnection();
        statement.setArray(bound + 1, connection.createArrayOf("text", tags));
        statement.setArray(bound + 2, connection.createArrayOf("text", types));
        statement.setObject(bound + 3, above);
        statement.setObject(bound + 4, upTo);
        statement.setLong(bound + 5, most);
    }

    /* The probes of items with one tag, if there are at least MANY. */
    private static List<Probe> together(List<Probe> probes) {
        if (probes.size() < MANY) {
            return List.of();
        }
        List<Probe> oneTag =
                probes.stream().filter(probe -> probe.item().tags().size() == 1).toList();
        return oneTag.size() < MANY ? List.of() : oneTag;
    }

    private static List<Probe> apart(List<Probe> probes) {
        return together(probes).isEmpty()
                ? probes
                : probes.stream()
                        .filter(probe -> probe.item().tags().size() != 1)
                        .toList();
    }

    private String positions(List<Probe> probes) {
        List<String> parts = new ArrayList<>();
        if (!together(probes).isEmpty()) {
            parts.add(positionsTogether());
        }
        apart(probes).forEach(probe -> parts.add(positions(probe.item())));
        String united = String.join(" union ", parts);
        return probes.size() == 1 ? united : united + " order by position " + order() + " limit ?";
    }

    private String positionsTogether() {
        return """
                (select distinct found.position
                from (
                    select given.tag, given.types::text[] as types, given.above, given.up_to
                    from unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[]) given (tag, types, above, up_to)
                    offset 0
                ) wanted
                cross join lateral (
                    select entry.position
                    from %s.event_tags entry
                    where entry.tag = wanted.tag
                    and entry.position > wanted.above
                    and entry.position <= wanted.up_to
                    and (wanted.types = '{}' or entry.type = any (wanted.types))
                    order by entry.position %s
                    limit ?
                ) found)""".formatted(schema, order());
    }

    /* Compares (type, position) as a row, so that only a probe of the index on (type, position) provides the order. */
    private String positions(QueryItem item) {
        boolean typed = !item.types().isEmpty();
        return switch (item.tags().size()) {
            case 0 ->
                typed
                        ? """
                        (select p.position
                        from unnest(?::text[]) wanted (type)
                        cross join lateral (
                            select e.position
                            from %s.events e
                            where (e.type, e.position) > (wanted.type, ?)
                            and (e.type, e.position) <= (wanted.type, ?)
                            order by e.type %s, e.position %s
                            limit ?
                        ) p
                        order by p.position %s
                        limit ?)""".formatted(schema, order(), order(), order())
                        : "(select position from %s.events where %s)".formatted(schema, inReach());
            case 1 ->
                "(select position from %s.event_tags where tag = ? %s and %s)"
                        .formatted(schema, typed ? "and type = any (?)" : "", inReach());
            default ->
                "(select position from %s.positions_with_tags(?, ?, ?, ?, %s, ?) position)"
                        .formatted(schema, direction == Direction.BACKWARDS);
        };
    }

    private String inReach() {
        return "position > ? and position <= ? order by position %s limit ?".formatted(order());
    }

    private static boolean isEverything(List<Probe> probes) {
        return probes.size() == 1 && probes.getFirst().item().equals(QueryItem.any());
    }

    private static boolean isOfSeveralTags(List<Probe> probes) {
        return probes.size() == 1 && probes.getFirst().item().tags().size() > 1;
    }

    private String order() {
        return direction == Direction.BACKWARDS ? "desc" : "asc";
    }

    private static String[] texts(Set<Tag> tags) {
        return tags.stream().map(Tag::value).toArray(String[]::new);
    }

    /** Whether a row indicates that more events follow than fit into the chunk. */
    static boolean isMore(ResultSet row) throws SQLException {
        return row.getString(6) == null;
    }

    /** The event of a row. */
    static SequencedEvent event(ResultSet row) throws SQLException {
        List<Tag> tags = new ArrayList<>();
        for (String tag : (String[]) row.getArray(5).getArray()) {
            tags.add(new Tag(tag));
        }
        return new SequencedEvent(
                Position.of(row.getLong(1)),
                Event.of(row.getObject(3, UUID.class), row.getString(4), tags, row.getString(6), row.getString(7)),
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
