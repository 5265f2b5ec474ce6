package dev.registrar.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** The connection that listens is borrowed from the application's pool. */
class NotificationsTest {
    private static final int POOL_TIMEOUT_MILLIS = 77_000;

    @Test
    void a_connection_returns_to_its_pool_with_its_time_out_and_not_listening() throws SQLException {
        try (StoreDatabase store = new StoreDatabase();
                AppendSignals signals = new AppendSignals(new InMemoryEventStore());
                Connection connection = store.connect()) {
            connection.setNetworkTimeout(Runnable::run, POOL_TIMEOUT_MILLIS);
            // Closing a borrowed connection leaves the physical connection open, as in a pool.
            Notifications notifications =
                    new Notifications(new SingleConnectionDataSource(connection, true), signals, "registrar");
            notifications.start();
            await().until(() -> isListening(connection));
            assertThat(connection.getNetworkTimeout()).isNotEqualTo(POOL_TIMEOUT_MILLIS);

            notifications.close();

            assertThat(connection.getNetworkTimeout()).isEqualTo(POOL_TIMEOUT_MILLIS);
            assertThat(isListening(connection)).isFalse();
        }
    }

    private static boolean isListening(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet channels = statement.executeQuery("select pg_listening_channels()")) {
            return channels.next();
        }
    }
}
