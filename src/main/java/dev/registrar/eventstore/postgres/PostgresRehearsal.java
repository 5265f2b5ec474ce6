package dev.registrar.eventstore.postgres;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Failures;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs work against the store in transactions that are rolled back, on connections of the store's own pool. No reader
 * ever sees an event of it. Once the work has appended, it blocks all other appends until it ends, so it should take
 * milliseconds. Appends with resource locks are not supported: they end their transaction themselves.
 */
public final class PostgresRehearsal {
    private final Database database;
    private final StoreOptions options;
    private final InstantSource clock;

    PostgresRehearsal(Database database, StoreOptions options, InstantSource clock) {
        this.database = database;
        this.options = options;
        this.clock = clock;
    }

    /**
     * Runs the work once.
     *
     * @throws dev.registrar.eventstore.EventStoreException if the database failed
     */
    public void once(Consumer<EventStore> work) {
        try (Connection connection = database.take()) {
            on(connection, work);
        } catch (SQLException failure) {
            throw Failures.read(failure);
        }
    }

    /**
     * Runs the work once on each of the store's connections, opening those that are not open yet, while there is time.
     *
     * @param end after which no other connection is used, as {@link System#nanoTime()}
     * @throws dev.registrar.eventstore.EventStoreException if the database failed
     */
    public void onEachConnection(Consumer<EventStore> work, long end) {
        List<Connection> all = new ArrayList<>();
        try {
            while (all.size() < options.connections() && end - System.nanoTime() > 0) {
                Connection connection = database.take();
                all.add(connection);
                on(connection, work);
                readInAHurry(connection);
            }
        } catch (SQLException failure) {
            throw Failures.read(failure);
        } finally {
            all.forEach(PostgresRehearsal::giveBack);
        }
    }

    /* Prepares what a deadline adds to a read, whose transaction is a real one, and the statement for groups of reads. */
    private void readInAHurry(Connection connection) throws SQLException {
        try (PostgresEventStore store = storeOn(connection)) {
            Deadline.within(options.statementTimeout().dividedBy(3), store::readInGroup);
        } finally {
            // The second of two reads finds a transaction that it does not end.
            database.rollBack(connection);
        }
    }

    private static void giveBack(Connection connection) {
        try {
            connection.close();
        } catch (SQLException lost) {
            // The pool has noticed, and opens another one.
        }
    }

    private void on(Connection connection, Consumer<EventStore> work) throws SQLException {
        connection.setAutoCommit(false);
        try (PostgresEventStore store = storeOn(connection)) {
            work.accept(store);
        } finally {
            database.rollBack(connection);
        }
    }

    private PostgresEventStore storeOn(Connection connection) {
        return new PostgresEventStore(
                database.on(connection), options, StoreContext.standalone().withClock(clock));
    }
}
