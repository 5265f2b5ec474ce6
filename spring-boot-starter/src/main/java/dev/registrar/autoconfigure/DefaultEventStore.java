package dev.registrar.autoconfigure;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreContext;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The store of an application that has a {@code DataSource} and no {@code EventStore} of its own. It is imported, and
 * has no {@code @Configuration}, so that no component scan finds it before the application's beans.
 */
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnMissingBean(EventStore.class)
@EnableConfigurationProperties(MigrationSettings.class)
class DefaultEventStore {

    /* Depends on the address: without an address, nothing is migrated. */
    @Bean
    @ConditionalOnClass(name = "org.flywaydb.core.Flyway")
    @ConditionalOnBooleanProperty(value = "registrar.store.migrate", matchIfMissing = true)
    MigratedSchema registrarMigratedSchema(
            StoreAddress address,
            DataSource service,
            StoreOptions options,
            MigrationSettings migration,
            @Value("${registrar.erasure.enabled:false}") boolean erasure,
            @Value("${registrar.retagging.enabled:false}") boolean retagging) {
        return MigratedSchema.migrate(service, address, options, migration, erasure, retagging);
    }

    @Bean
    PostgresEventStore registrarEventStore(
            ObjectProvider<MigratedSchema> migrated,
            DataSource service,
            StoreAddress address,
            StoreOptions options,
            InstantSource clock,
            ObjectProvider<MeterRegistry> metrics,
            @Value("${spring.datasource.hikari.maximum-pool-size:10}") int serviceConnections) {
        ApplicationPool.check(service);
        // Opening the store checks the schema, also if Flyway did not migrate it.
        migrated.getIfAvailable();
        PostgresEventStore store = PostgresEventStore.open(
                address,
                options,
                new StoreContext(
                        ApplicationClock.own(clock),
                        metrics.getIfAvailable(CompositeMeterRegistry::new),
                        TransactionSynchronizationManager::isActualTransactionActive));
        try {
            store.checkConnections(serviceConnections);
            return store;
        } catch (RuntimeException failure) {
            store.close();
            throw failure;
        }
    }
}
