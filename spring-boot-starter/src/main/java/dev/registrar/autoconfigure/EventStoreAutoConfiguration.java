package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * The event store, and the beans that every store in PostgreSQL needs. By default, the store is in the database of the
 * application's {@code DataSource} and has a pool of its own.
 *
 * <p>There is no default store if the application has an {@code EventStore} bean, no {@code DataSource}, or several of
 * which none is primary.
 */
@AutoConfiguration(after = DataSourceAutoConfiguration.class)
@EnableConfigurationProperties(MigrationSettings.class)
@Import(DefaultEventStore.class)
public class EventStoreAutoConfiguration {

    /* A fallback bean: a clock of another library's auto-configuration takes precedence, whatever their order. */
    @Bean
    @Fallback
    @ConditionalOnMissingBean
    InstantSource registrarClock() {
        return ApplicationClock.DEFAULT;
    }

    @Bean
    @ConditionalOnMissingBean
    StoreOptions registrarStoreOptions(Environment environment) {
        return new OptionsBinder(Binder.get(environment)).store();
    }

    /* Lazy: an application with its own store need not configure the address of a database. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    StoreAddress registrarStoreAddress(ObjectProvider<JdbcConnectionDetails> details, Environment environment) {
        return StoreAddresses.of(details.getIfUnique(), environment);
    }

    @Bean(initMethod = "start")
    @ConditionalOnSingleCandidate(PostgresEventStore.class)
    IdempotencyKeyExpiry registrarIdempotencyKeyExpiry(PostgresEventStore store) {
        return new IdempotencyKeyExpiry(store::forgetExpiredKeys);
    }
}
