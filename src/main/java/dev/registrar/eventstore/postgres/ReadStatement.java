package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The SQL that finds the events of a query, and its parameters. Each item is a probe of its own, with bounds of its
 * own; the probes are united, so that an event which several match comes once. The text depends only on the items'
 * shape (types or none; no tag, one, or several), so there are few texts and each stays prepared.
 */
final class ReadStatement {
    private static final String COLUMNS = "e.position, e.recorded_at, e.id, e.type, e.tags, e.payload, e.metadata";

    private final String schema;
    private final Direction direction;

    /**
     * One item and where to look for it.
     *
     * @param above exclusive
     * @param upTo inclusive
     */
    record Probe(QueryItem item, Position above, Position upTo) {}

    ReadStatement(String schema, Direction direction) {
        this.schema = schema;
        this.direction = direction;
    }

    /** The events, at most so many, in reading direction. */
    String events(List<Probe> probes) {
        return """
                select %s
                from (%s) m
                cross join lateral (
                    select * from %s.events s where s.position = m.position offset 0
                ) e
                order by e.position %s""".formatted(COLUMNS, positions(probes), schema, order());
    }

    /**
     * The head of the store and the events, all of one snapshot; a row without an event if none matches. Its first two
     * parameters are the positions and event ids of heads, and it tells how many of them the store has lost.
     */
    String headAndEvents(List<Probe> probes) {
        return """
                select
                    store.incarnation,
                    h.position,
                    h.id,
                    (
                        select count(*)
                        from unnest(?::bigint[], ?::uuid[]) known (position, id)
                        where known.position > 0
                        and known.id is distinct from (
                            select s.id from %s.events s where s.position = known.position
                        )
                    ),
                    %s
                from %s.store
                left join lateral (
                    select last.position, last.id from %s.events last order by last.position desc limit 1
                ) h on true
                left join lateral (
                    select s.*
                    from (%s) m
                    cross join lateral (
                        select * from %s.events s where s.position = m.position offset 0
                    ) s
                ) e on true
                order by e.position %s""".formatted(schema, COLUMNS, schema, schema, positions(probes), schema, order());
    }

    /** Whether any event matches. */
    String exists(List<Probe> probes) {
        return "select exists (select from (%s) m)".formatted(positions(probes));
    }

    /** How many events match. */
    String count(List<Probe> probes) {
        return "select count(*) from (%s) m".formatted(positions(probes));
    }

    /** Binds what the probes need, after so many parameters. */
    static void bind(PreparedStatement statement, int bound, List<Probe> probes, long most) throws SQLException {
        Connection connection = statement.getConnection();
        int parameter = bound;
        for (Probe probe : probes) {
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
    }

    private String positions(List<Probe> probes) {
        String united = probes.stream().map(probe -> positions(probe.item())).collect(Collectors.joining(" union "));
        return probes.size() == 1 ? united : united + " order by position " + order() + " limit ?";
    }

    /* Types are compared together with positions, so that no plan but a probe of (type, position) gives their order. */
    private String positions(QueryItem item) {
        String inReach = "position > ? and position <= ? order by position %s limit ?".formatted(order());
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
                        : "(select position from %s.events where %s)".formatted(schema, inReach);
            case 1 ->
                "(select position from %s.event_tags where tag = ? %s and %s)"
                        .formatted(schema, typed ? "and type = any (?)" : "", inReach);
            default ->
                "(select position from %s.positions_with_tags(?, ?, ?, ?, %s, ?) position)"
                        .formatted(schema, direction == Direction.BACKWARDS);
        };
    }

    private String order() {
        return direction == Direction.BACKWARDS ? "desc" : "asc";
    }

    private static String[] texts(Set<Tag> tags) {
        return tags.stream().map(Tag::value).toArray(String[]::new);
    }

    /** The event of a row, whose columns start after so many others. */
    static SequencedEvent event(ResultSet row, int offset) throws SQLException {
        Set<Tag> tags = new LinkedHashSet<>();
        for (String tag : (String[]) row.getArray(offset + 5).getArray()) {
            tags.add(new Tag(tag));
        }
        return new SequencedEvent(
                Position.of(row.getLong(offset + 1)),
                new Event(
                        row.getObject(offset + 3, UUID.class),
                        row.getString(offset + 4),
                        tags,
                        row.getString(offset + 6),
                        row.getString(offset + 7)),
                row.getObject(offset + 2, OffsetDateTime.class).toInstant());
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
