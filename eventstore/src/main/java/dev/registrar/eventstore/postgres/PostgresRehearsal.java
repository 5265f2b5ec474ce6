package dev.registrar.eventstore.postgres;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Failures;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs work against the store in transactions that are rolled back, on connections of the store's own pool. Readers
 * never see its events. From its first append to its end, the work blocks all other appends, so it should take
 * milliseconds. Appends with resource locks are not supported.
 */
public final class PostgresRehearsal {
    private final Database database;
    private final StoreOptions options;
    private final @Nullable InstantSource stamps;
    private final InstantSource clock;

    /**
     * Creates the rehearsal of a store.
     *
     * @param stamps stamps the events; null for the clock of the server
     * @param clock the store's clock for decisions
     */
    PostgresRehearsal(Database database, StoreOptions options, @Nullable InstantSource stamps, InstantSource clock) {
        this.database = database;
        this.options = options;
        this.stamps = stamps;
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
     * Runs the work once on each of the store's connections until a given time, and opens connections that are not open
     * yet.
     *
     * @param end the time after which no further connection is used, as {@link System#nanoTime()}
     * @throws dev.registrar.eventstore.EventStoreException if the database failed
     */
    public void onEachConnection(Consumer<EventStore> work, long end) {
        List<Connection> all = new ArrayList<>();
        try {
            while (all.size() < options.connections() && end - System.nanoTime() > 0) {
                Connection connection = database.take();
                all.add(connection);
                on(connection, work);
                readUnderDeadline(connection);
            }
        } catch (SQLException failure) {
            throw Failures.read(failure);
        } finally {
            all.forEach(PostgresRehearsal::giveBack);
        }
    }

    /* Prepares the statements of a read under a deadline, which uses a real transaction, and of a group of reads. */
    private void readUnderDeadline(Connection connection) throws SQLException {
        try (PostgresEventStore store = storeOn(connection)) {
            Deadline.within(options.statementTimeout().dividedBy(3), store::readInGroup);
        } finally {
            // The second read finds an open transaction and does not end it.
            database.rollBack(connection);
        }
    }

    private static void giveBack(Connection connection) {
        try {
            connection.close();
        } catch (SQLException lost) {
            // The pool has noticed the loss and opens another connection.
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
                database.on(connection), options, StoreContext.standalone().withClock(stamps), clock);
    }
}
