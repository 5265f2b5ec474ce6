package dev.registrar.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.AwaitilityTimeouts;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.subscription.AppendSignals.WakeUpSignal;
import dev.registrar.testdatabase.TestDatabase;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** The connection that listens is borrowed from the application's pool. */
class NotificationsTest {
    private static final int POOL_TIMEOUT_MILLIS = 77_000;

    /* A pool may have been configured without auto-commit: LISTEN and NOTIFY take effect at a commit. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_connection_returns_to_its_pool_as_it_was_and_not_listening(boolean autoCommit) throws Exception {
        try (StoreDatabase store = new StoreDatabase();
                AppendSignals signals = new AppendSignals(new InMemoryEventStore());
                Connection connection = store.connect()) {
            connection.setNetworkTimeout(Runnable::run, POOL_TIMEOUT_MILLIS);
            connection.setAutoCommit(autoCommit);
            WakeUpSignal woken = signals.register(Query.all());
            Notifications notifications = new Notifications(new OneConnection(connection), signals, "registrar");
            notifications.start();
            // The first signal says that it listens. Before, a statement here could begin a transaction around LISTEN.
            assertThat(woken.await(AwaitilityTimeouts.MAX_WAIT)).isTrue();
            assertThat(isListening(connection)).isTrue();
            assertThat(connection.getNetworkTimeout()).isNotEqualTo(POOL_TIMEOUT_MILLIS);

            notifications.close();

            assertThat(connection.getNetworkTimeout()).isEqualTo(POOL_TIMEOUT_MILLIS);
            assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
            assertThat(isListening(connection)).isFalse();
        }
    }

    @Test
    void instances_whose_pools_have_no_auto_commit_wake_each_other() throws InterruptedException {
        InMemoryEventStore appending = new InMemoryEventStore();
        try (StoreDatabase store = new StoreDatabase();
                HikariDataSource pool = withoutAutoCommit(store.database());
                AppendSignals here = new AppendSignals(appending);
                AppendSignals there = new AppendSignals(new InMemoryEventStore())) {
            WakeUpSignal woken = there.register(Query.all());
            try (Notifications sending = new Notifications(pool, here, "registrar");
                    Notifications receiving = new Notifications(pool, there, "registrar")) {
                sending.start();
                receiving.start();
                // The first signal says that it listens.
                assertThat(woken.await(AwaitilityTimeouts.MAX_WAIT)).isTrue();

                appending.append(Append.of(Event.of("Happened", "{}", "thing:1")));

                assertThat(woken.await(AwaitilityTimeouts.MAX_WAIT)).isTrue();
            }
        }
    }

    /** A pool that resets nothing: it lends its connection to one caller at a time, and stays open. */
    private static final class OneConnection extends AbstractDataSource {
        private final Connection physical;
        private final Semaphore free = new Semaphore(1);

        OneConnection(Connection physical) {
            this.physical = physical;
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (!free.tryAcquire()) {
                throw new SQLTransientConnectionException("The connection is in use");
            }
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("close")) {
                            free.release();
                            return null;
                        }
                        return method.invoke(physical, arguments);
                    });
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
        }
    }

    private static HikariDataSource withoutAutoCommit(TestDatabase database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setUsername(database.username());
        config.setPassword(database.password());
        config.setMaximumPoolSize(4);
        config.setAutoCommit(false);
        return new HikariDataSource(config);
    }

    private static boolean isListening(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet channels = statement.executeQuery("select pg_listening_channels()")) {
            return channels.next();
        }
    }
}
