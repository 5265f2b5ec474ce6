package dev.registrar.eventstore.postgres.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGInterval;

/** An instance of the version before contract 4: sends the recorded statements of that version. */
final class CallerOfContract3 implements AutoCloseable {
    private final Connection connection;

    CallerOfContract3(Connection connection) {
        this.connection = connection;
    }

    /**
     * Appends one event with one tag, as a single request.
     *
     * @return its position; null if an event with the tag may be there
     */
    @Nullable Long appendIfNone(String type, String tag) throws SQLException {
        try (PreparedStatement statement = recorded("append_event")) {
            statement.setObject(1, new long[] {0});
            statement.setArray(2, texts(tag));
            statement.setArray(3, texts((String) null));
            statement.setObject(4, UUID.randomUUID());
            statement.setString(5, type);
            statement.setArray(6, texts(tag));
            statement.setString(7, "{}");
            statement.setString(8, "{}");
            statement.setObject(9, OffsetDateTime.now(ZoneOffset.UTC));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                long position = row.getLong(1);
                return row.wasNull() ? null : position;
            }
        }
    }

    /**
     * Appends one event with one tag under a key, as a group of one request.
     *
     * @return the verdict, and the first position where there is one
     */
    String appendUnder(String key, String type, String tag) throws SQLException {
        try (PreparedStatement statement = recorded("append_events")) {
            bindGroup(statement, 0, key, type, tag);
            try (ResultSet row = statement.executeQuery()) {
                return verdict(row);
            }
        }
    }

    /** The same, under the lock of a resource. */
    String appendHolding(long resource, String key, String type, String tag) throws SQLException {
        try (PreparedStatement statement = recorded("append_events_holding")) {
            statement.setString(1, "10000ms");
            statement.setObject(2, new long[] {resource});
            statement.setInt(3, 10_000);
            bindGroup(statement, 3, key, type, tag);
            statement.execute();
            statement.getMoreResults();
            try (ResultSet row = statement.getResultSet()) {
                return verdict(row);
            }
        }
    }

    private void bindGroup(PreparedStatement statement, int bound, String key, String type, String tag)
            throws SQLException {
        List<Object> arguments =
                new ArrayList<>(List.of(new int[] {1}, connection.createArrayOf("bool", new Boolean[] {false})));
        arguments.addAll(List.of(
                new int[] {1},
                connection.createArrayOf("uuid", new UUID[] {UUID.randomUUID()}),
                texts(type),
                texts("{\"" + tag + "\"}"),
                texts("{}"),
                texts("{}"),
                OffsetDateTime.now(ZoneOffset.UTC),
                new int[] {1},
                texts(tag)));
        arguments.addAll(List.of(
                new int[] {1},
                new long[] {0},
                new int[] {0},
                texts(tag),
                texts((String) null),
                texts((String) null),
                texts("{}")));
        arguments.addAll(List.of(
                new int[] {1},
                new int[] {1},
                new int[] {1},
                texts(key),
                texts("fingerprint"),
                new PGInterval(0, 0, 7, 0, 0, 0)));
        int parameter = bound;
        for (Object argument : arguments) {
            parameter++;
            if (argument instanceof Array array) {
                statement.setArray(parameter, array);
            } else {
                statement.setObject(parameter, argument);
            }
        }
    }

    private static String verdict(ResultSet row) throws SQLException {
        row.next();
        Array verdicts = row.getArray("verdicts");
        if (verdicts == null) {
            return "appended at " + (row.getLong("head_before") + 1);
        }
        Long[] positions = (Long[]) row.getArray("first_positions").getArray();
        String verdict = ((String[]) verdicts.getArray())[0];
        return positions[0] == null ? verdict : verdict + " at " + positions[0];
    }

    /** The position of the first event with a tag, as a check of a condition finds it; 0 if there is none. */
    long firstWith(String tag) throws SQLException {
        try (PreparedStatement statement = recorded("check_conditions")) {
            statement.setObject(1, new long[] {0});
            statement.setArray(2, texts(tag));
            statement.setArray(3, texts((String) null));
            statement.setArray(4, texts((String) null));
            statement.setArray(5, texts("{}"));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return ((Long[]) row.getArray("matches").getArray())[0];
            }
        }
    }

    /** The positions of the events that carry both of two tags. */
    List<Long> withBoth(String tag, String other) throws SQLException {
        try (PreparedStatement statement = recorded("positions_with_tags")) {
            statement.setArray(1, texts(tag, other));
            statement.setArray(2, texts());
            statement.setLong(3, 0);
            statement.setLong(4, Long.MAX_VALUE);
            statement.setLong(5, 64);
            List<Long> positions = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    positions.add(rows.getLong(1));
                }
            }
            return positions;
        }
    }

    private Array texts(@Nullable String... texts) throws SQLException {
        return connection.createArrayOf("text", texts);
    }

    private PreparedStatement recorded(String call) throws SQLException {
        try (InputStream text =
                CallerOfContract3.class.getResourceAsStream("/schemas/contract-3-calls/%s.sql".formatted(call))) {
            return connection.prepareStatement(new String(text.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
