package dev.registrar.eventstore.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Runs statements that may safely be sent again, each alone on a connection of the pool. */
final class Statements {
    private final DataSource connections;

    Statements(DataSource connections) {
        this.connections = connections;
    }

    /** What is done with a prepared statement. */
    interface Work<T> {
        T on(PreparedStatement statement) throws SQLException;
    }

    <T> T run(String sql, Work<T> work) {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            return work.on(statement);
        } catch (SQLException failure) {
            throw Failures.read(failure);
        }
    }

    /** A connection of the pool; who asks for it closes it. */
    Connection connect() {
        try {
            return connections.getConnection();
        } catch (SQLException failure) {
            throw Failures.noConnection(failure);
        }
    }
}
