package dev.registrar.autoconfigure;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.metrics.Metrics;
import dev.registrar.eventstore.postgres.PostgresClearing;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.PostgresRehearsal;
import dev.registrar.eventstore.postgres.StoreContext;
import dev.registrar.eventstore.postgres.StoreOptions;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The event store in the database of the application's {@code DataSource}, by a pool of its own. */
@AutoConfiguration(after = DataSourceAutoConfiguration.class)
@ConditionalOnBean(DataSource.class)
@ConditionalOnMissingBean(EventStore.class)
@EnableConfigurationProperties({StoreSettings.class, MigrationSettings.class})
@EnableScheduling
public class EventStoreAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    InstantSource clock() {
        return InstantSource.system();
    }

    @Bean
    @ConditionalOnMissingBean
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
            Metrics metrics,
            MigratedSchema migrated,
            @Value("${spring.datasource.hikari.maximum-pool-size:10}") int serviceConnections) {
        PostgresEventStore store = PostgresEventStore.open(
                new StoreAddress(database.getJdbcUrl(), database.getUsername(), database.getPassword()),
                options,
                new StoreContext(clock, metrics, TransactionSynchronizationManager::isActualTransactionActive));
        try {
            store.checkConnections(serviceConnections);
            return store;
        } catch (RuntimeException failure) {
            store.close();
            throw failure;
        }
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
