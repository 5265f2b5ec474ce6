package dev.registrar.autoconfigure;

import dev.registrar.eventstore.metrics.MicrometerMetrics;
import dev.registrar.eventstore.postgres.PostgresClearing;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.PostgresRehearsal;
import dev.registrar.eventstore.postgres.StoreContext;
import dev.registrar.eventstore.postgres.StoreOptions;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.jdbc.health.DataSourceHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Wires the event store to the database that the service runs on. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
@EnableConfigurationProperties(MigrationSettings.class)
class EventStoreConfiguration {

    @Bean
    StoreOptions storeOptions(StoreSettings settings) {
        return settings.options();
    }

    @Bean
    MigratedSchema migratedSchema(DataSource service, StoreOptions options, MigrationSettings migration) {
        return MigratedSchema.migrate(service, options.schema(), migration);
    }

    @Bean
    PostgresEventStore eventStore(
            JdbcConnectionDetails database,
            StoreOptions options,
            InstantSource clock,
            MeterRegistry registry,
            MigratedSchema migrated,
            @Value("${spring.datasource.hikari.maximum-pool-size}") int serviceConnections) {
        PostgresEventStore store = PostgresEventStore.open(
                new StoreAddress(database.getJdbcUrl(), database.getUsername(), database.getPassword()),
                options,
                new StoreContext(
                        clock,
                        new MicrometerMetrics(registry),
                        TransactionSynchronizationManager::isActualTransactionActive));
        try {
            store.checkConnections(serviceConnections);
            return store;
        } catch (RuntimeException failure) {
            store.close();
            throw failure;
        }
    }

    @Bean
    HealthIndicator eventStoreHealth(PostgresEventStore store) {
        return new CircuitHealth(store);
    }

    /* Each of the store's connections has its use: none is left for health checks. */
    @Bean
    HealthIndicator dbHealthIndicator(DataSource connections) {
        return new DataSourceHealthIndicator(connections);
    }

    @Bean
    PostgresRehearsal rehearsal(PostgresEventStore store) {
        return store.rehearsal();
    }

    @Bean
    @ConditionalOnBooleanProperty("registrar.load-test.enabled")
    PostgresClearing clearing(DataSource connections, StoreOptions options) {
        return new PostgresClearing(connections, options.schema());
    }

    @Bean
    IdempotencyKeyExpiry idempotencyKeyExpiry(PostgresEventStore store) {
        return new IdempotencyKeyExpiry(store);
    }
}
