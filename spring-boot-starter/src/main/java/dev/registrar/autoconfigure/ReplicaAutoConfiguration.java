package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.ReadReplica;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.projection.ProjectionOptions;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** A read replica of the store's database, if {@code registrar.replica.url} names one. */
@AutoConfiguration(
        after = EventStoreAutoConfiguration.class,
        before = {LiveAutoConfiguration.class, ProjectionAutoConfiguration.class})
@ConditionalOnProperty("registrar.replica.url")
@ConditionalOnSingleCandidate(PostgresEventStore.class)
@EnableConfigurationProperties(ReplicaSettings.class)
public class ReplicaAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ReadReplica registrarReadReplica(
            PostgresEventStore store,
            StoreAddress address,
            StoreOptions options,
            ReplicaSettings settings,
            ObjectProvider<MeterRegistry> metrics) {
        return ReadReplica.open(
                StoreAddresses.ofReplica(settings.url(), address),
                options,
                store,
                metrics.getIfAvailable(CompositeMeterRegistry::new));
    }

    @Bean
    ReplicaPool registrarReplicaPool(StoreAddress address, ReplicaSettings settings, Environment environment) {
        Binder binder = Binder.get(environment);
        return ReplicaPool.open(
                StoreAddresses.ofReplica(settings.url(), address),
                binder,
                binder.bind("registrar.projections.longest-search", Duration.class)
                        .orElse(ProjectionOptions.defaults().longestSearch()));
    }
}
