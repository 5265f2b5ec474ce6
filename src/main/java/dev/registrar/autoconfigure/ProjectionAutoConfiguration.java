package dev.registrar.autoconfigure;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.metrics.Metrics;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreOptions;
import dev.registrar.projection.Follower;
import dev.registrar.projection.ProjectionAdministration;
import dev.registrar.projection.ProjectionRunner;
import dev.registrar.projection.ViewReader;
import dev.registrar.subscription.AppendSignals;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Runs the views and automations that are beans, on the store and the application's database. */
@AutoConfiguration(after = {EventStoreAutoConfiguration.class, LiveAutoConfiguration.class})
@ConditionalOnBean(PostgresEventStore.class)
@EnableConfigurationProperties(ProjectionSettings.class)
public class ProjectionAutoConfiguration {

    @Bean(initMethod = "start")
    @ConditionalOnMissingBean
    ProjectionRunner projectionRunner(
            ObjectProvider<Follower> followers,
            EventStore store,
            AppendSignals signals,
            DataSource connections,
            StoreOptions storeOptions,
            ProjectionSettings settings,
            Metrics metrics,
            InstantSource clock) {
        return ProjectionRunner.builder(
                        connections, store, followers.orderedStream().toList())
                .schema(storeOptions.schema())
                .options(settings.options())
                .signals(signals)
                .metrics(metrics)
                .clock(clock)
                .build();
    }

    @Bean
    @ConditionalOnMissingBean
    ProjectionAdministration projectionAdministration(ProjectionRunner runner) {
        return runner.administration();
    }

    @Bean
    @ConditionalOnMissingBean
    ViewReader viewReader(ProjectionRunner runner) {
        return runner.views();
    }
}
