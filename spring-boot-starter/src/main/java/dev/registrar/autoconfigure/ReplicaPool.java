package dev.registrar.autoconfigure;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;

/** The pool for views on a read replica. It is no {@code DataSource} bean, so that the application still has one. */
record ReplicaPool(HikariDataSource connections) implements AutoCloseable {
    private static final Duration LONGEST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_VALIDATION = Duration.ofMillis(250);

    /**
     * Opens a pool with the settings of the application's pool. The replica need not be reachable.
     *
     * @param longestSearch the longest time of a statement; a replica that is silent for longer has failed
     */
    static ReplicaPool open(StoreAddress replica, Binder settings, Duration longestSearch) {
        HikariDataSource pool = new HikariDataSource();
        settings.bind("spring.datasource.hikari", Bindable.ofInstance(pool));
        pool.setPoolName("replica");
        pool.setJdbcUrl(replica.url());
        pool.setUsername(replica.username());
        pool.setPassword(replica.password());
        pool.setConnectionTimeout(LONGEST_WAIT.toMillis());
        pool.setValidationTimeout(LONGEST_VALIDATION.toMillis());
        pool.setInitializationFailTimeout(-1);
        pool.addDataSourceProperty("targetServerType", "preferSecondary");
        String seconds = Long.toString(1 + longestSearch.plusMillis(999).toSeconds());
        pool.addDataSourceProperty("socketTimeout", seconds);
        pool.addDataSourceProperty("connectTimeout", seconds);
        return new ReplicaPool(pool);
    }

    @Override
    public void close() {
        connections.close();
    }
}
