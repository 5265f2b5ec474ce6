package dev.registrar.autoconfigure;

import dev.registrar.eventstore.ProjectionLimit;
import dev.registrar.eventstore.postgres.PostgresClearing;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.PostgresRehearsal;
import dev.registrar.eventstore.postgres.StoreOptions;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * The event store, by default in the database of the application's {@code DataSource} and with a pool of its own, and
 * what goes with each store in PostgreSQL.
 *
 * <p>There is no default store if the application has an {@code EventStore} bean, no {@code DataSource}, or several of
 * which none is primary.
 */
@AutoConfiguration(after = DataSourceAutoConfiguration.class)
@EnableConfigurationProperties(StoreSettings.class)
@Import(DefaultEventStore.class)
public class EventStoreAutoConfiguration {

    /* A fallback: a clock of another library's auto-configuration comes first, whichever of them is found first. */
    @Bean
    @Fallback
    @ConditionalOnMissingBean
    InstantSource registrarClock() {
        return InstantSource.system();
    }

    @Bean
    @ConditionalOnMissingBean
    StoreOptions registrarStoreOptions(StoreSettings settings) {
        return settings.options();
    }

    /* Lazy: an application whose store is its own need not have the address of a database. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    StoreAddress registrarStoreAddress(ObjectProvider<JdbcConnectionDetails> details, Environment environment) {
        return StoreAddresses.of(details.getIfUnique(), environment);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(PostgresEventStore.class)
    PostgresRehearsal registrarRehearsal(PostgresEventStore store) {
        return store.rehearsal();
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(PostgresEventStore.class)
    ProjectionLimit registrarProjectionLimit(PostgresEventStore store) {
        return store.projectionLimit();
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(PostgresEventStore.class)
    @ConditionalOnSingleCandidate(DataSource.class)
    @ConditionalOnBooleanProperty("registrar.load-test.enabled")
    PostgresClearing registrarClearing(DataSource connections, StoreOptions options) {
        return new PostgresClearing(connections, options.schema());
    }

    @Bean(initMethod = "start")
    @ConditionalOnSingleCandidate(PostgresEventStore.class)
    IdempotencyKeyExpiry registrarIdempotencyKeyExpiry(PostgresEventStore store) {
        return new IdempotencyKeyExpiry(store::forgetExpiredKeys);
    }
}
