package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.postgres.connection.StoreConnections;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A caller's connection in the caller's transaction, during one append. */
final class BorrowedSession {
    /*
     * Why nothing leaks: the settings are made after a savepoint and are local to the transaction. Rolling back to the
     * savepoint restores them, releases the locks taken since then, and makes an aborted transaction usable again. If
     * the append is kept, each setting is reset to its earlier value. Only transaction_timeout stays until the
     * transaction ends.
     *
     * Why the store's lock is held for a bounded time: the server enforces transaction_timeout, even if this process
     * stops. PostgreSQL starts the timer when the setting changes from 0, but not when one value replaces another. So
     * the first append of a transaction starts the timer, and later appends do not extend it.
     */
    private static final String READ_COMMITTED = "read committed";
    private static final String ABORTED = "25P02";
    /** Time-outs that the append shortens if the caller's are longer or off. */
    private static final List<String> LIMITS = List.of("lock_timeout", "statement_timeout");

    private static final Map<String, String> FIXED = fixed();
    private static final List<String> CHANGED = changed();

    private static final String ENTER = """
            savepoint registrar_append;
            select
                current_setting('transaction_isolation') as isolation,
                current_setting('transaction_read_only') = 'on' as read_only,
                %s as bound,
                extract(epoch from clock_timestamp() - transaction_timestamp()) * 1000 as elapsed,
                array[%s] as settings;
            select %s, %s""".formatted(
            milliseconds("transaction_timeout"),
            join(CHANGED.stream().map("current_setting('%s')"::formatted).toList()),
            join(LIMITS.stream().map(BorrowedSession::shortened).toList()),
            join(FIXED.entrySet().stream()
                    .map(setting -> "set_config('%s', '%s', true)".formatted(setting.getKey(), setting.getValue()))
                    .toList()));

    private static final String RESTORE = "select %s;"
            .formatted(join(
                    CHANGED.stream().map("set_config('%s', ?, true)"::formatted).toList()));
    private static final String BOUND = """
            select set_config('transaction_timeout', '0', true);
            select set_config('transaction_timeout', ?, true);""";
    private static final String RELEASE = "release savepoint registrar_append";
    private static final String UNDO = "rollback to savepoint registrar_append;" + RELEASE;

    private final Connection connection;
    private final State state;

    private BorrowedSession(Connection connection, State state) {
        this.connection = connection;
        this.state = state;
    }

    private static Map<String, String> fixed() {
        Map<String, String> settings = new LinkedHashMap<>(StoreConnections.statementSettings());
        // With the caller's search path, a user-defined function could shadow one of PostgreSQL's.
        settings.put("search_path", "pg_catalog, pg_temp");
        return settings;
    }

    private static List<String> changed() {
        List<String> names = new ArrayList<>(LIMITS);
        names.addAll(FIXED.keySet());
        return List.copyOf(names);
    }

    /* The text of such a setting is a number and a unit, which PostgreSQL also accepts as an interval. */
    private static String milliseconds(String setting) {
        return "extract(epoch from current_setting('%s')::interval) * 1000".formatted(setting);
    }

    private static String shortened(String setting) {
        return "set_config('%s', least(nullif(%s, 0), ?)::bigint || 'ms', true)"
                .formatted(setting, milliseconds(setting));
    }

    private static String join(List<String> parts) {
        return String.join(", ", parts);
    }

    /**
     * The state of the session before the append.
     *
     * @param bound the transaction_timeout in milliseconds; 0 for none
     * @param elapsed the milliseconds since the start of the transaction
     * @param settings the values of the settings in {@link #CHANGED}
     */
    private record State(String isolation, boolean readOnly, long bound, long elapsed, List<String> settings) {
        static State of(ResultSet row) throws SQLException {
            row.next();
            return new State(
                    row.getString("isolation"),
                    row.getBoolean("read_only"),
                    row.getLong("bound"),
                    row.getLong("elapsed"),
                    List.of((String[]) row.getArray("settings").getArray()));
        }

        boolean endsWithin(Duration time) {
            return bound > 0 && bound - elapsed <= time.toMillis();
        }
    }

    /**
     * Prepares a connection for an append, in one round trip.
     *
     * @param lockWait the upper bound of lock_timeout
     * @param statement the upper bound of statement_timeout
     * @throws IllegalStateException if the connection is not in a transaction that an append can join; the connection
     *     is unchanged
     */
    static BorrowedSession enter(Connection connection, Duration lockWait, Duration statement) throws SQLException {
        if (connection.isClosed()) {
            throw new IllegalStateException("The connection is closed; an append needs an open transaction");
        }
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "The connection is in auto-commit mode; begin a transaction before the append");
        }
        BorrowedSession session = entered(connection, lockWait, statement);
        if (!session.state.isolation.equals(READ_COMMITTED)) {
            session.undo();
            throw new IllegalStateException("The transaction must be at READ COMMITTED but is at %s"
                    .formatted(session.state.isolation.toUpperCase(Locale.ROOT)));
        }
        if (session.state.readOnly) {
            session.undo();
            throw new IllegalStateException("The transaction is read-only; an append needs one that can write");
        }
        return session;
    }

    private static BorrowedSession entered(Connection connection, Duration lockWait, Duration statement)
            throws SQLException {
        try (PreparedStatement enter = connection.prepareStatement(ENTER)) {
            enter.setLong(1, atLeastOne(lockWait));
            enter.setLong(2, atLeastOne(statement));
            enter.execute();
            enter.getMoreResults();
            try (ResultSet row = enter.getResultSet()) {
                return new BorrowedSession(connection, State.of(row));
            }
        } catch (SQLException failure) {
            if (ABORTED.equals(failure.getSQLState())) {
                throw new IllegalStateException(
                        "The transaction is aborted by an earlier error; roll it back before the append", failure);
            }
            undo(connection, failure);
            throw failure;
        }
    }

    private static long atLeastOne(Duration time) {
        return Math.max(1, time.toMillis());
    }

    /**
     * Keeps the append and restores the settings.
     *
     * @param longest the time after which the server ends the transaction, unless an earlier end is already set
     */
    void keep(Duration longest) throws SQLException {
        boolean bounded = state.endsWithin(longest);
        try (PreparedStatement keep = connection.prepareStatement(RESTORE + (bounded ? "" : BOUND) + RELEASE)) {
            int parameter = 0;
            for (String setting : state.settings) {
                keep.setString(++parameter, setting);
            }
            if (!bounded) {
                keep.setString(++parameter, atLeastOne(longest) + "ms");
            }
            keep.execute();
        }
    }

    /** Undoes the append, and releases the locks taken for it. */
    void undo() throws SQLException {
        undo(connection);
    }

    /** Undoes the append after a failure. If the connection is lost, the server rolls the transaction back. */
    void undo(Throwable failure) {
        undo(connection, failure);
    }

    private static void undo(Connection connection, Throwable failure) {
        try {
            undo(connection);
        } catch (SQLException lost) {
            failure.addSuppressed(lost);
        }
    }

    private static void undo(Connection connection) throws SQLException {
        try (Statement undo = connection.createStatement()) {
            undo.execute(UNDO);
        }
    }
}
