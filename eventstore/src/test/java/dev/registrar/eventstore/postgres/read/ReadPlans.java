package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.postgres.connection.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Runs the store's read statements on a connection, so that a test can check their plans. */
public final class ReadPlans {
    private static final Position LAST = Position.of(Long.MAX_VALUE);

    private ReadPlans() {}

    /**
     * Reads the events that match the items in three ways: all events, the last ones, and the older half.
     *
     * @param events the number of events in the store
     * @param most the maximum number of events that a statement returns
     */
    public static void read(Connection connection, Direction direction, List<QueryItem> items, int events, long most)
            throws SQLException {
        ReadStatement statement = statement(direction, 512 << 10);
        for (List<Probe> probes : List.of(
                Probe.all(items, Position.START, LAST),
                Probe.all(items, Position.of(events - 500), LAST),
                Probe.all(items, Position.START, Position.of(events / 2)))) {
            for (boolean small : new boolean[] {true, false}) {
                run(connection, statement.chunk(false, small, probes), false, probes, most);
                run(connection, statement.chunk(true, small, probes), true, probes, most);
            }
            run(connection, statement.last(probes), false, probes, 1);
            run(connection, statement.exists(probes), false, probes, 1);
        }
    }

    /** Counts the events that match an item, reading all their positions. */
    public static long count(Connection connection, Direction direction, QueryItem item) throws SQLException {
        List<Probe> probes = Probe.all(List.of(item), Position.START, LAST);
        String sql = statement(direction, Long.MAX_VALUE).count(probes);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            PositionSearch.of(probes).bind(new Parameters(statement), probes, Long.MAX_VALUE);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    /** Reads the first events that match an item, and returns their number. */
    public static int events(Connection connection, Direction direction, QueryItem item, int most) throws SQLException {
        List<Probe> probes = Probe.all(List.of(item), Position.START, LAST);
        String sql = statement(direction, Long.MAX_VALUE).chunk(false, false, probes);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            PositionSearch.of(probes).bind(new Parameters(statement), probes, most);
            int events = -1; // the first row is the head
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    events++;
                }
            }
            return events;
        }
    }

    private static ReadStatement statement(Direction direction, long bytes) {
        return new ReadStatement("registrar", direction, GroupReadStatement.MOST_BYTES, bytes);
    }

    private static void run(Connection connection, String sql, boolean givenHeads, List<Probe> probes, long most)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Parameters parameters = new Parameters(statement);
            if (givenHeads) {
                ReadStatement.bindHeads(parameters, List.of());
            }
            PositionSearch.of(probes).bind(parameters, probes, most);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    if (rows.getRow() <= 0) {
                        throw new IllegalStateException("A row without a number");
                    }
                }
            }
        }
    }

    /** Reads a chunk for each item, all in one group, and returns the number of events of each. */
    public static List<Integer> readGroup(Connection connection, List<QueryItem> items, Position above, int most)
            throws SQLException {
        List<ChunkRequest> requests = items.stream()
                .map(item -> new ChunkRequest(Probe.all(List.of(item), above, LAST), most, List.of(), true))
                .toList();
        try (PreparedStatement statement = connection.prepareStatement(
                new GroupReadStatement("registrar", GroupReadStatement.MOST_BYTES).text())) {
            GroupReadStatement.bind(statement, requests);
            try (ResultSet rows = statement.executeQuery()) {
                return GroupReadStatement.chunks(rows, requests).stream()
                        .map(chunk -> chunk.events().size())
                        .toList();
            }
        }
    }
}
