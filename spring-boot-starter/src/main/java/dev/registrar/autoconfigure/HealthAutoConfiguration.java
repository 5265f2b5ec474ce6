package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.projection.ProjectionAdministration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Health indicators of the store in PostgreSQL, and of views and automations, if the application has health endpoints.
 * Spring Boot's own indicator {@code db} calls the database through the application's {@code DataSource}; the store's
 * pool is not a bean.
 */
@AutoConfiguration(after = {EventStoreAutoConfiguration.class, ProjectionAutoConfiguration.class})
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
public class HealthAutoConfiguration {

    @Bean
    @ConditionalOnSingleCandidate(PostgresEventStore.class)
    @ConditionalOnEnabledHealthIndicator("event-store-health")
    @ConditionalOnMissingBean(name = "eventStoreHealth")
    HealthIndicator eventStoreHealth(PostgresEventStore store) {
        return new CircuitHealth(store);
    }

    @Bean
    @ConditionalOnSingleCandidate(ProjectionAdministration.class)
    @ConditionalOnEnabledHealthIndicator("projections")
    @ConditionalOnMissingBean(name = "projectionsHealthIndicator")
    HealthIndicator projectionsHealthIndicator(ProjectionAdministration administration) {
        return new ProjectionHealth(administration);
    }
}
