package dev.registrar.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.projection.Automation;
import dev.registrar.projection.ProjectionAdministration;
import dev.registrar.testdatabase.TestDatabase;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.actuate.endpoint.CompositeHealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** The health indicators of an application with the starter. */
class HealthAutoConfigurationTest {
    @AutoClose
    private final StoreDatabase store = new StoreDatabase();

    private final TestDatabase database = store.database();
    private final ApplicationContextRunner application =
            StarterApplications.with(database).withBean(HappenedView.class);

    private static CompositeHealthDescriptor health(ApplicationContext context) {
        return (CompositeHealthDescriptor) context.getBean(HealthEndpoint.class).health();
    }

    @Test
    void the_store_the_database_and_the_views_have_separate_health_indicators() {
        application.run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean("dbHealthIndicator");
            assertThat(health(context).getComponents()).containsKeys("eventStoreHealth", "projections", "db");
            assertThat(health(context).getComponents())
                    .extractingByKeys("eventStoreHealth", "projections", "db")
                    .extracting(HealthDescriptor::getStatus)
                    .containsOnly(Status.UP);
        });
    }

    @Test
    void each_health_indicator_can_be_disabled() {
        application
                .withPropertyValues(
                        "management.health.event-store-health.enabled=false",
                        "management.health.projections.enabled=false")
                .run(context -> assertThat(health(context).getComponents())
                        .containsKey("db")
                        .doesNotContainKeys("eventStoreHealth", "projections"));
    }

    @Test
    void the_store_is_down_while_its_circuit_is_open_and_health_calls_close_it() {
        application.withPropertyValues("registrar.store.breaker.open-for=10m").run(context -> {
            HealthIndicator health = context.getBean("eventStoreHealth", HealthIndicator.class);
            CircuitBreaker circuit = context.getBean(PostgresEventStore.class).breaker();
            circuit.transitionToOpenState();

            assertThat(status(health)).isEqualTo(Status.DOWN);
            circuit.transitionToHalfOpenState();
            await().untilAsserted(() -> assertThat(status(health)).isEqualTo(Status.UP));
        });
    }

    private static @Nullable Status status(HealthIndicator indicator) {
        Health health = indicator.health();
        return health == null ? null : health.getStatus();
    }

    /** Handles no event. */
    private static final class Broken implements Automation {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public Query query() {
            return Query.all();
        }

        @Override
        public void react(SequencedEvent event) {
            throw new IllegalStateException("broken");
        }
    }

    @Test
    void projections_are_down_when_one_has_stopped_at_an_event() {
        application
                .withBean(Broken.class, Broken::new)
                .withPropertyValues("registrar.projections.attempts=1", "registrar.projections.retry-after=1ms")
                .run(context -> {
                    HealthIndicator health = context.getBean("projectionsHealthIndicator", HealthIndicator.class);
                    assertThat(status(health)).isEqualTo(Status.UP);

                    context.getBean(EventStore.class).append(Append.of(Event.of("Happened", "{}", "thing:1")));

                    await().until(() -> context.getBean(ProjectionAdministration.class)
                            .status("broken")
                            .isStopped());
                    assertThat(status(health)).isEqualTo(Status.DOWN);
                });
    }
}
