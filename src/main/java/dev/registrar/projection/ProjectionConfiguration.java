package dev.registrar.projection;

import dev.registrar.eventstore.EventStore;
import dev.registrar.subscription.AppendSignals;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Joins the read loop to the store, to the database and to the followers that there are. */
@Configuration(proxyBeanMethods = false)
class ProjectionConfiguration {

    @Bean(initMethod = "start")
    Projections projections(
            List<Follower> followers,
            EventStore store,
            AppendSignals arrivals,
            DataSource connections,
            @Value("${registrar.store.schema}") String schema,
            ProjectionSettings settings,
            MeterRegistry registry,
            InstantSource clock) {
        return new Projections(followers, store, arrivals, connections, schema, settings, clock, registry);
    }

    @Bean
    HealthIndicator projectionsHealthIndicator(Projections projections) {
        return new ProjectionHealth(projections);
    }
}
