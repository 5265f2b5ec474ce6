package dev.registrar.eventstore.postgres.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** The source of a call's connection, which also takes it back after the call. */
sealed interface ConnectionSource {

    Connection take() throws SQLException;

    void giveBack(Connection connection) throws SQLException;

    /** The reason why the source cannot connect; empty if it can. */
    default Optional<SQLException> reason() {
        return Optional.empty();
    }

    /** Replaces the existing connections, which are probably lost. */
    default void evict() {}

    /** The connections of a pool. */
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

    /** A single connection for all calls, which stays open. */
    record One(Connection connection) implements ConnectionSource {
        @Override
        public Connection take() {
            return connection;
        }

        @Override
        public void giveBack(Connection taken) {
            // The next call uses it.
        }
    }
}
