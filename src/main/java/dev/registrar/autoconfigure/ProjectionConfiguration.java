package dev.registrar.autoconfigure;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.metrics.MicrometerMetrics;
import dev.registrar.projection.Follower;
import dev.registrar.projection.ProjectionAdministration;
import dev.registrar.projection.ProjectionRunner;
import dev.registrar.projection.ViewReader;
import dev.registrar.subscription.AppendSignals;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Runs the views and automations that are beans, on the store and the application's database. */
@Configuration(proxyBeanMethods = false)
class ProjectionConfiguration {

    @Bean(initMethod = "start")
    ProjectionRunner projectionRunner(
            List<Follower> followers,
            EventStore store,
            AppendSignals signals,
            DataSource connections,
            @Value("${registrar.store.schema}") String schema,
            ProjectionSettings settings,
            MeterRegistry registry,
            InstantSource clock) {
        return ProjectionRunner.builder(connections, store, followers)
                .schema(schema)
                .options(settings.options())
                .signals(signals)
                .metrics(new MicrometerMetrics(registry))
                .clock(clock)
                .build();
    }

    @Bean
    ProjectionAdministration projectionAdministration(ProjectionRunner runner) {
        return runner.administration();
    }

    @Bean
    ViewReader viewReader(ProjectionRunner runner) {
        return runner.views();
    }

    @Bean
    HealthIndicator projectionsHealthIndicator(ProjectionAdministration administration) {
        return new ProjectionHealth(administration);
    }
}
