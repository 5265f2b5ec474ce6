package dev.registrar.eventstore.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.metrics.Metrics;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Runs work against the store in transactions that are rolled back, on connections of the store's own pool. No reader
 * ever sees an event of it. Once the work has appended, it blocks all other appends until it ends, so it should take
 * milliseconds. Appends with resource locks are not supported: they end their transaction themselves.
 */
public final class PostgresRehearsal {
    private final HikariDataSource connections;
    private final StoreOptions settings;
    private final InstantSource clock;

    public PostgresRehearsal(HikariDataSource connections, StoreOptions settings, InstantSource clock) {
        this.connections = connections;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * Runs the work once.
     *
     * @throws dev.registrar.eventstore.EventStoreException if the database failed
     */
    public void once(Consumer<EventStore> work) {
        try (Connection connection = connections.getConnection()) {
            on(connection, work);
        } catch (SQLException failure) {
            throw Failures.noConnection(failure, StoreConnections.reasonOf(connections));
        }
    }

    /**
     * Runs the work once on each of the store's connections, opening those that are not open yet.
     *
     * @param end no work begins on a further connection after this reading of {@link System#nanoTime()}
     * @throws dev.registrar.eventstore.EventStoreException if the database failed
     */
    public void onEachConnection(Consumer<EventStore> work, long end) {
        List<Connection> all = new ArrayList<>();
        try {
            while (all.size() < settings.connections() && end - System.nanoTime() > 0) {
                Connection connection = connections.getConnection();
                all.add(connection);
                on(connection, work);
                readInAHurry(connection);
            }
        } catch (SQLException failure) {
            throw Failures.noConnection(failure, StoreConnections.reasonOf(connections));
        } finally {
            all.forEach(PostgresRehearsal::giveBack);
        }
    }

    @SuppressWarnings("try") // the watch is only there to be closed
    private static void takeBack(Connection connection) throws SQLException {
        try (CallWatchdog.Watched watched = CallWatchdog.SHARED.watch(connection, Database.NETWORK_MARGIN)) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /* Prepares what a deadline adds to a read, whose transaction is a real one. */
    private void readInAHurry(Connection connection) {
        try (PostgresEventStore store = storeOn(connection)) {
            Deadline.set(settings.statementTimeout().dividedBy(3));
            store.head();
        } finally {
            Deadline.clear();
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
            takeBack(connection);
        }
    }

    private PostgresEventStore storeOn(Connection connection) {
        return new PostgresEventStore(
                new SingleConnectionDataSource(connection, true), settings, clock, Metrics.none());
    }
}
