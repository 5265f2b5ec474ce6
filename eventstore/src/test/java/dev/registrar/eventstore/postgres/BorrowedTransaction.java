package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/** A transaction of an application that also has a table of its own, {@code bookings}. */
final class BorrowedTransaction implements AutoCloseable {
    private final Connection connection;

    private BorrowedTransaction(Connection connection) {
        this.connection = connection;
    }

    static void createTable(StoreDatabase database) {
        database.execute("create table bookings (room text primary key, guest text not null)");
    }

    static BorrowedTransaction begin(StoreDatabase database) throws SQLException {
        return on(database.connect());
    }

    static BorrowedTransaction on(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        return new BorrowedTransaction(connection);
    }

    Connection connection() {
        return connection;
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    void book(String room) throws SQLException {
        execute("insert into bookings (room, guest) values ('%s', 'Ann')".formatted(room));
    }

    AppendResult append(PostgresEventStore store, Append request) {
        return store.joining(connection).append(request);
    }

    long bookings() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from bookings")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** All settings of the session by name, optionally with the source of each. */
    Map<String, String> settings(boolean withSource) throws SQLException {
        Map<String, String> settings = new TreeMap<>();
        // PL/pgSQL adds its own settings at its first use.
        execute("do 'begin end'");
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select name, setting, source from pg_settings")) {
            while (row.next()) {
                settings.put(
                        row.getString("name"),
                        row.getString("setting") + (withSource ? ", " + row.getString("source") : ""));
            }
        }
        return settings;
    }

    /** The settings that differ, with their old and new values. */
    static Map<String, String> changed(Map<String, String> before, Map<String, String> after) {
        Map<String, String> changed = new TreeMap<>();
        before.forEach((name, value) -> {
            if (!value.equals(after.get(name))) {
                changed.put(name, value + " -> " + after.get(name));
            }
        });
        return changed;
    }

    void commit() throws SQLException {
        connection.commit();
    }

    void rollback() throws SQLException {
        connection.rollback();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
