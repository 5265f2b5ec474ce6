package dev.registrar.autoconfigure;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.postgres.ReadReplica;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.projection.Follower;
import dev.registrar.projection.ProjectionAdministration;
import dev.registrar.projection.ProjectionRunner;
import dev.registrar.projection.ViewReader;
import dev.registrar.subscription.AppendSignals;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * Runs the views and automations that are beans, on the application's event store. Their tables are in the database of
 * the application's {@code DataSource}, which has the tables of the store's schema. If several beans are a
 * {@code DataSource} or an {@code EventStore}, one of each must be primary. Without views and automations there is no
 * runner.
 */
@AutoConfiguration(after = {EventStoreAutoConfiguration.class, LiveAutoConfiguration.class})
@ConditionalOnBean(Follower.class)
@Import(ProjectionAutoConfiguration.WithStore.class)
public class ProjectionAutoConfiguration {

    /* Imported configurations come before the beans of the class that imports them. */
    @ConditionalOnSingleCandidate(EventStore.class)
    static class WithStore {

        @Bean(initMethod = "start")
        @ConditionalOnMissingBean
        @ConditionalOnSingleCandidate(DataSource.class)
        ProjectionRunner registrarProjectionRunner(
                ObjectProvider<Follower> followers,
                ObjectProvider<MigratedSchema> migrated,
                EventStore store,
                AppendSignals signals,
                DataSource connections,
                ObjectProvider<ReadReplica> replica,
                ObjectProvider<ReplicaPool> replicaPool,
                StoreOptions storeOptions,
                ObjectProvider<MeterRegistry> metrics,
                InstantSource clock,
                Environment environment) {
            if (migrated.getIfAvailable() == null) {
                FollowerTables.check(connections, storeOptions.schema());
            }
            ProjectionRunner.Builder runner = ProjectionRunner.builder(
                            connections, store, followers.orderedStream().toList())
                    .schema(storeOptions.schema())
                    .options(new OptionsBinder(Binder.get(environment))
                            .projections(ApplicationPool.maxSearches(connections)))
                    .signals(signals)
                    .metrics(metrics.getIfAvailable(CompositeMeterRegistry::new))
                    .clock(ApplicationClock.orOf(store, clock));
            replica.ifAvailable(opened -> replicaPool.ifAvailable(pool -> runner.replica(pool.connections(), opened)));
            return runner.build();
        }
    }

    @Bean
    @ConditionalOnSingleCandidate(ProjectionRunner.class)
    @ConditionalOnMissingBean
    ProjectionAdministration registrarProjectionAdministration(ProjectionRunner runner) {
        return runner.administration();
    }

    @Bean
    @ConditionalOnSingleCandidate(ProjectionRunner.class)
    @ConditionalOnMissingBean
    ViewReader registrarViewReader(ProjectionRunner runner) {
        return runner.views();
    }

    /* Fails the start: a view that is never filled would look empty. */
    @Bean
    @ConditionalOnMissingBean(ProjectionRunner.class)
    @ConditionalOnBooleanProperty(value = "registrar.projections.enabled", matchIfMissing = true)
    FollowersWithoutRunner registrarFollowersWithoutRunner(ConfigurableListableBeanFactory beans) {
        throw FollowersWithoutRunner.failure(beans);
    }
}
