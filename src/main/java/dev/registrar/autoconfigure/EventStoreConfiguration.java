package dev.registrar.autoconfigure;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.metrics.MicrometerMetrics;
import dev.registrar.eventstore.postgres.ConnectionBudget;
import dev.registrar.eventstore.postgres.PostgresClearing;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.PostgresRehearsal;
import dev.registrar.eventstore.postgres.StoreConnections;
import dev.registrar.eventstore.postgres.StoreOptions;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.jdbc.health.DataSourceHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Wires the event store to the database that the service runs on. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
@EnableConfigurationProperties(MigrationSettings.class)
class EventStoreConfiguration {

    @Bean
    StoreOptions storeOptions(StoreSettings settings) {
        return settings.options();
    }

    @Bean(defaultCandidate = false, destroyMethod = "close")
    @Qualifier("event-store") HikariDataSource eventStoreConnections(
            JdbcConnectionDetails database, StoreOptions options, MeterRegistry registry) {
        HikariDataSource connections =
                StoreConnections.open(database.getJdbcUrl(), database.getUsername(), database.getPassword(), options);
        connections.setMetricRegistry(registry);
        return connections;
    }

    @Bean
    MigratedSchema migratedSchema(DataSource service, StoreOptions options, MigrationSettings migration) {
        return MigratedSchema.migrate(service, options.schema(), migration);
    }

    @Bean
    ConnectionBudget connectionBudget(
            @Qualifier("event-store") HikariDataSource connections,
            StoreOptions options,
            MigratedSchema migrated,
            @Value("${spring.datasource.hikari.maximum-pool-size}") int serviceConnections) {
        return ConnectionBudget.checked(connections, options, serviceConnections);
    }

    @Bean
    PostgresEventStore eventStore(
            @Qualifier("event-store") HikariDataSource connections,
            StoreOptions options,
            InstantSource clock,
            MeterRegistry registry,
            ConnectionBudget checked) {
        return new PostgresEventStore(connections, options, clock, new MicrometerMetrics(registry));
    }

    @Bean
    HealthIndicator eventStoreHealth(PostgresEventStore store) {
        return new CircuitHealth(store);
    }

    /* The store's connections are counted out for their uses: asking after the database's health is none of them. */
    @Bean
    HealthIndicator dbHealthIndicator(DataSource connections) {
        return new DataSourceHealthIndicator(connections);
    }

    @Bean
    PostgresRehearsal rehearsal(
            @Qualifier("event-store") HikariDataSource connections, StoreOptions options, InstantSource clock) {
        return new PostgresRehearsal(connections, options, clock);
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
