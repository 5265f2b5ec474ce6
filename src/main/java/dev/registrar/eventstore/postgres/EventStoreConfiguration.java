package dev.registrar.eventstore.postgres;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Wires the event store to the database that the service runs on. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
class EventStoreConfiguration {

    @Bean(defaultCandidate = false, destroyMethod = "close")
    @Qualifier("event-store") HikariDataSource eventStoreConnections(JdbcConnectionDetails database, StoreSettings settings) {
        return StoreConnections.open(database.getJdbcUrl(), database.getUsername(), database.getPassword(), settings);
    }

    @Bean
    @DependsOn("flywayInitializer")
    PostgresEventStore eventStore(
            @Qualifier("event-store") HikariDataSource connections,
            StoreSettings settings,
            InstantSource clock,
            MeterRegistry registry) {
        return new PostgresEventStore(connections, settings, clock, registry);
    }

    @Bean
    IdempotencyKeyExpiry idempotencyKeyExpiry(PostgresEventStore store) {
        return new IdempotencyKeyExpiry(store);
    }
}
