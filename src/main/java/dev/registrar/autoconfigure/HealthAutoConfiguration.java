package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.projection.ProjectionAdministration;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.health.DataSourceHealthIndicator;
import org.springframework.context.annotation.Bean;

/** Health of the store, of its database, and of views and automations, where the application asks for health. */
@AutoConfiguration(
        after = {EventStoreAutoConfiguration.class, ProjectionAutoConfiguration.class},
        beforeName = "org.springframework.boot.jdbc.autoconfigure.health.DataSourceHealthContributorAutoConfiguration")
@ConditionalOnClass({HealthIndicator.class, DataSourceHealthIndicator.class})
@ConditionalOnBean(PostgresEventStore.class)
public class HealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "eventStoreHealth")
    HealthIndicator eventStoreHealth(PostgresEventStore store) {
        return new CircuitHealth(store);
    }

    @Bean
    @ConditionalOnBean(ProjectionAdministration.class)
    @ConditionalOnMissingBean(name = "projectionsHealthIndicator")
    HealthIndicator projectionsHealthIndicator(ProjectionAdministration administration) {
        return new ProjectionHealth(administration);
    }

    /* The store's connections are counted out for their uses: asking after the database's health is none of them. */
    @Bean
    @ConditionalOnMissingBean(name = "dbHealthIndicator")
    HealthIndicator dbHealthIndicator(DataSource connections) {
        return new DataSourceHealthIndicator(connections);
    }
}
