package dev.registrar.eventstore.postgres.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** Where a call's connection comes from, and what becomes of it after the call. */
sealed interface ConnectionSource {

    Connection take() throws SQLException;

    void giveBack(Connection connection) throws SQLException;

    /** Why no connection can be made; empty if the source can make one. */
    default Optional<SQLException> reason() {
        return Optional.empty();
    }

    /** Replaces the connections that are there: they are probably lost. */
    default void evict() {}

    /** A pool's connections. */
    record Pooled(DataSource pool) implements ConnectionSource {
        @Override
        public Connection take() throws SQLException {
            return pool.getConnection();
        }

        @Override
        public void giveBack(Connection connection) throws SQLException {
            connection.close();
        }

        @Override
        public Optional<SQLException> reason() {
            return StoreConnections.reasonOf(pool);
        }

        @Override
        public void evict() {
            StoreConnections.evict(pool);
        }
    }

    /** One connection for all calls, which stays open. */
    record One(Connection connection) implements ConnectionSource {
        @Override
        public Connection take() {
            return connection;
        }

        @Override
        public void giveBack(Connection taken) {
            // For the next call.
        }
    }
}
