package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.postgres.ReadStatement.Probe;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads from PostgreSQL, each time in one statement and so of one snapshot. */
final class Reader {
    private static final Position LAST = Position.of(Long.MAX_VALUE);
    private static final List<Probe> NOTHING = List.of(new Probe(QueryItem.any(), Position.START, Position.START));

    private final Database database;
    private final ReadStatement forwards;
    private final ReadStatement backwards;

    Reader(Database database, String schema) {
        this.database = database;
        this.forwards = new ReadStatement(schema, Direction.FORWARDS);
        this.backwards = new ReadStatement(schema, Direction.BACKWARDS);
    }

    /**
     * Some events of a read, and the store's head in the same snapshot.
     *
     * @param lostHeads how many of the given heads the store no longer has
     */
    record Page(Head head, List<SequencedEvent> events, long lostHeads) {}

    Head head() {
        return page(Direction.FORWARDS, NOTHING, 0, List.of()).head();
    }

    Page page(Direction direction, List<Probe> probes, long most, Collection<Head> heads) {
        return database.run(statement(direction).headAndEvents(!heads.isEmpty(), probes), statement -> {
            if (!heads.isEmpty()) {
                bind(statement, heads);
            }
            ReadStatement.bind(statement, heads.isEmpty() ? 0 : 2, probes, most);
            try (ResultSet rows = statement.executeQuery()) {
                return page(rows, direction);
            }
        });
    }

    private static void bind(PreparedStatement statement, Collection<Head> heads) throws SQLException {
        Connection connection = statement.getConnection();
        statement.setArray(
                1,
                connection.createArrayOf(
                        "bigint",
                        heads.stream().map(head -> head.position().value()).toArray()));
        statement.setArray(
                2,
                connection.createArrayOf(
                        "uuid", heads.stream().map(Head::lastEventId).toArray()));
    }

    Optional<SequencedEvent> last(List<QueryItem> items) {
        List<Probe> probes = ReadStatement.probes(items, Position.START, LAST);
        return database.run(backwards.events(probes), statement -> {
            ReadStatement.bind(statement, 0, probes, 1);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(ReadStatement.event(row)) : Optional.empty();
            }
        });
    }

    boolean exists(List<QueryItem> items) {
        List<Probe> probes = ReadStatement.probes(items, Position.START, LAST);
        return database.run(backwards.exists(probes), statement -> {
            ReadStatement.bind(statement, 0, probes, 1);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        });
    }

    long count(List<QueryItem> items) {
        List<Probe> probes = ReadStatement.probes(items, Position.START, LAST);
        return database.run(forwards.count(probes), statement -> {
            ReadStatement.bind(statement, 0, probes, Long.MAX_VALUE);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        });
    }

    private ReadStatement statement(Direction direction) {
        return switch (direction) {
            case FORWARDS -> forwards;
            case BACKWARDS -> backwards;
        };
    }

    private static Page page(ResultSet rows, Direction direction) throws SQLException {
        if (!rows.next()) {
            throw new IllegalStateException("The event store's table 'store' has lost its row");
        }
        if (rows.getString(4) != null) {
            throw new IllegalStateException("The head did not come before the events");
        }
        Head head = new Head(
                Position.of(rows.getLong(1)), UUID.fromString(rows.getString(6)), rows.getObject(3, UUID.class));
        long lostHeads = rows.getLong(7);
        List<SequencedEvent> events = new ArrayList<>();
        while (rows.next()) {
            SequencedEvent event = ReadStatement.event(rows);
            if (!events.isEmpty()
                    && event.position().isAfter(events.getLast().position()) != (direction == Direction.FORWARDS)) {
                throw new IllegalStateException("Events came out of their order at " + event.position());
            }
            events.add(event);
        }
        return new Page(head, events, lostHeads);
    }
}
