package dev.registrar.eventstore.postgres;

import static java.util.stream.Collectors.joining;

import dev.registrar.eventstore.postgres.connection.StoreConnections;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A caller's connection in the caller's transaction, during one append.
 *
 * @param isolation the isolation level of the transaction
 * @param bound the transaction_timeout before the append, in milliseconds; 0 for none
 * @param elapsed the milliseconds since the start of the transaction
 * @param settings the values of the changed settings before the append
 */
record BorrowedSession(
        Connection connection, String isolation, boolean readOnly, long bound, long elapsed, List<String> settings) {
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
    private static final String ABORTED = "25P02";

    /** The expression of each changed setting's new value; a parameter is an upper bound in milliseconds. */
    private static final Map<String, String> CHANGED = changed();

    private static final String ENTER = """
            savepoint registrar_append;
            select
                current_setting('transaction_isolation') as isolation,
                current_setting('transaction_read_only') = 'on' as read_only,
                %s as bound,
                extract(epoch from clock_timestamp() - transaction_timestamp()) * 1000 as elapsed,
                array[%s] as settings;
            select %s""".formatted(
                    milliseconds("transaction_timeout"),
                    forEachChanged("current_setting('%s')"::formatted),
                    forEachChanged(name -> "set_config('%s', %s, true)".formatted(name, CHANGED.get(name))));
    private static final String RESTORE =
            "select %s;".formatted(forEachChanged("set_config('%s', ?, true)"::formatted));
    private static final String BOUND = """
            select set_config('transaction_timeout', '0', true);
            select set_config('transaction_timeout', ?, true);""";
    private static final String RELEASE = "release savepoint registrar_append";
    private static final String UNDO = "rollback to savepoint registrar_append;" + RELEASE;

    private static Map<String, String> changed() {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String limit : List.of("lock_timeout", "statement_timeout")) {
            settings.put(limit, "least(nullif(%s, 0), ?)::bigint || 'ms'".formatted(milliseconds(limit)));
        }
        StoreConnections.statementSettings().forEach((name, value) -> settings.put(name, "'%s'".formatted(value)));
        // With the caller's search path, a user-defined function could shadow one of PostgreSQL's.
        settings.put("search_path", "'pg_catalog, pg_temp'");
        return settings;
    }

    /* The text of such a setting is a number and a unit, which PostgreSQL also accepts as an interval. */
    private static String milliseconds(String setting) {
        return "extract(epoch from current_setting('%s')::interval) * 1000".formatted(setting);
    }

    private static String forEachChanged(UnaryOperator<String> expression) {
        return CHANGED.keySet().stream().map(expression).collect(joining(", "));
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
        try {
            BorrowedSession session = entered(connection, lockWait, statement);
            session.requireWritableAtReadCommitted();
            return session;
        } catch (SQLException | IllegalStateException failure) {
            if (failure instanceof SQLException sql && ABORTED.equals(sql.getSQLState())) {
                throw new IllegalStateException(
                        "The transaction is aborted by an earlier error; roll it back before the append", failure);
            }
            undo(connection, failure);
            throw failure;
        }
    }

    private static BorrowedSession entered(Connection connection, Duration lockWait, Duration statement)
            throws SQLException {
        try (PreparedStatement enter = connection.prepareStatement(ENTER)) {
            enter.setLong(1, atLeastOne(lockWait));
            enter.setLong(2, atLeastOne(statement));
            enter.execute();
            enter.getMoreResults();
            try (ResultSet row = enter.getResultSet()) {
                row.next();
                return new BorrowedSession(
                        connection,
                        row.getString("isolation"),
                        row.getBoolean("read_only"),
                        row.getLong("bound"),
                        row.getLong("elapsed"),
                        List.of((String[]) row.getArray("settings").getArray()));
            }
        }
    }

    private void requireWritableAtReadCommitted() {
        if (!isolation.equals("read committed")) {
            throw new IllegalStateException("The transaction must be at READ COMMITTED but is at %s"
                    .formatted(isolation.toUpperCase(Locale.ROOT)));
        }
        if (readOnly) {
            throw new IllegalStateException("The transaction is read-only; an append needs one that can write");
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
        boolean bounded = bound > 0 && bound - elapsed <= longest.toMillis();
        try (PreparedStatement keep = connection.prepareStatement(RESTORE + (bounded ? "" : BOUND) + RELEASE)) {
            int parameter = 0;
            for (String setting : settings) {
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
        try (Statement undo = connection.createStatement()) {
            undo.execute(UNDO);
        }
    }

    /** Undoes the append after a failure. If the connection is lost, the server rolls the transaction back. */
    static void undo(Connection connection, Throwable failure) {
        try (Statement undo = connection.createStatement()) {
            undo.execute(UNDO);
        } catch (SQLException lost) {
            failure.addSuppressed(lost);
        }
    }
}
