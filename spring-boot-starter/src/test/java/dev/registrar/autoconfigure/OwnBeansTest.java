package dev.registrar.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.ForwardingEventStore;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreContext;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.eventstore.postgres.schema.StoreSchema;
import dev.registrar.eventstore.postgres.schema.StoreStartFailure;
import dev.registrar.projection.ViewReader;
import dev.registrar.subscription.AppendSignals;
import dev.registrar.subscription.AppendSignals.WakeUpSignal;
import dev.registrar.subscription.LiveFeed;
import dev.registrar.subscription.Notifications;
import dev.registrar.subscription.Subscriptions;
import dev.registrar.testdatabase.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Applications that define beans that the starter would otherwise create, or beans with common names. */
class OwnBeansTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final String[] COMMON_NAMES = {
        "clock",
        "storeOptions",
        "storeAddress",
        "migratedSchema",
        "eventStore",
        "clearing",
        "idempotencyKeyExpiry",
        "appendSignals",
        "notifications",
        "subscriptions",
        "decisionLoop",
        "liveFeed",
        "liveFeedLifecycle",
        "projectionRunner",
        "projectionAdministration",
        "viewReader"
    };

    @AutoClose
    private final StoreDatabase store = new StoreDatabase();

    private final TestDatabase database = store.database();
    private final ApplicationContextRunner application = StarterApplications.with(database);

    /** A store that implements only the contract. */
    private static final class AuditedStore extends ForwardingEventStore {
        private AuditedStore(EventStore store) {
            super(store);
        }
    }

    @Test
    void an_in_memory_store_of_the_application_is_used() {
        InMemoryEventStore store = new InMemoryEventStore(InstantSource.system());
        application
                .withBean(EventStore.class, () -> store)
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> {
                    assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(EventStore.class)
                            .hasSingleBean(LiveFeed.class)
                            .doesNotHaveBean(PostgresEventStore.class)
                            .doesNotHaveBean(IdempotencyKeyExpiry.class)
                            .doesNotHaveBean(Notifications.class)
                            .doesNotHaveBean(MigratedSchema.class)
                            .doesNotHaveBean("eventStoreHealth");
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("registrar.live.listeners")
                                    .gauge()
                                    .value())
                            .isZero();
                    assertFollowed(context);
                });
    }

    private static void assertFollowed(ApplicationContext context) throws InterruptedException {
        BlockingQueue<SequencedEvent> followed = new LinkedBlockingQueue<>();
        context.getBean(Subscriptions.class).subscribe(Query.all(), Position.START, followed::add);
        Appended appended = append(context);

        assertThat(followed.poll(1, TimeUnit.MINUTES))
                .isNotNull()
                .satisfies(event -> assertThat(event.position()).isEqualTo(appended.last()));
    }

    private static Appended append(ApplicationContext context) {
        return (Appended) context.getBean(EventStore.class).append(Append.of(Event.of("Happened", "{}", "thing:1")));
    }

    @Test
    void a_store_of_the_application_needs_no_data_source() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(StarterApplications.ours().toArray(Class<?>[]::new)))
                .withBean(EventStore.class, InMemoryEventStore::new)
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(EventStore.class);
                    assertFollowed(context);
                });
    }

    /** A PostgreSQL store that the application opens itself, behind a primary decorator. */
    @Configuration(proxyBeanMethods = false)
    static class OpensItself {

        @Bean
        PostgresEventStore store(StoreAddress address, StoreOptions options) {
            PostgresEventStore.migrate(address.url(), address.username(), address.password(), options);
            return PostgresEventStore.open(address, options, StoreContext.standalone());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Decorates {

        @Bean
        @Primary
        EventStore audited(PostgresEventStore store) {
            return new AuditedStore(store);
        }
    }

    private static void assertServed(ApplicationContext context) throws InterruptedException {
        assertThat(context.getBeansOfType(IdempotencyKeyExpiry.class)).hasSize(1);
        assertThat(context.getBeansOfType(Notifications.class)).hasSize(1);
        assertThat(context.containsBean("eventStoreHealth")).isTrue();
        assertFollowed(context);
        Appended appended = append(context);
        assertThat(context.getBean(ViewReader.class)
                        .read(context.getBean(HappenedView.class), appended.last(), HappenedView::count)
                        .found())
                .isEqualTo(appended.last().value());
    }

    @Test
    void a_postgresql_store_of_the_application_has_all_default_features_behind_a_decorator() {
        application
                .withUserConfiguration(OpensItself.class, Decorates.class)
                .withBean(HappenedView.class)
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(MigratedSchema.class);
                    assertThat(context.getBean(EventStore.class)).isInstanceOf(AuditedStore.class);
                    assertServed(context);
                });
    }

    @Test
    void an_append_through_a_decorator_wakes_readers_at_once() {
        application
                .withUserConfiguration(OpensItself.class, Decorates.class)
                // They raise all signals when they start to listen.
                .withPropertyValues("registrar.projections.notifications=false")
                .run(context -> {
                    WakeUpSignal signal = context.getBean(AppendSignals.class).register(Query.all());
                    append(context);
                    assertThat(signal.await(Duration.ZERO)).isTrue();
                });
    }

    @Test
    void a_decorator_alone_runs_the_views_if_the_data_source_has_the_schema() {
        ApplicationContextRunner decorated = application
                .withBean(EventStore.class, () -> new AuditedStore(new InMemoryEventStore()))
                .withBean(HappenedView.class);
        store.execute("drop schema registrar cascade");
        decorated.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(StoreStartFailure.class)
                .hasMessageContaining("The schema 'registrar' has no event store"));

        StoreSchema.migrate(database.dataSource(), "registrar");

        decorated.run(context -> {
            assertThat(context).hasNotFailed();
            Appended appended = append(context);
            assertThat(context.getBean(ViewReader.class)
                            .read(context.getBean(HappenedView.class), appended.last(), HappenedView::count)
                            .found())
                    .isEqualTo(1);
        });
    }

    @Test
    void a_clock_of_the_application_stamps_the_events() {
        application
                .withBean(Clock.class, () -> Clock.fixed(NOON, ZoneOffset.UTC))
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(InstantSource.class);
                    Appended appended = append(context);
                    assertThat(context.getBean(EventStore.class)
                                    .last(Query.all())
                                    .orElseThrow())
                            .satisfies(event -> assertThat(event.position()).isEqualTo(appended.last()))
                            .satisfies(event -> assertThat(event.recordedAt()).isEqualTo(NOON));
                });
    }

    /* Many applications have such a bean for their own code. The clocks of machines differ, that of the server does not. */
    @Test
    void a_clock_of_the_machine_leaves_the_time_to_the_server() {
        application
                .withBean(Clock.class, Clock::systemDefaultZone)
                .run(context -> assertThat(context.getBean(EventStore.class).clock())
                        .isNotInstanceOf(Clock.class)
                        .isNotEqualTo(InstantSource.system()));
    }

    @Test
    void application_beans_may_have_common_names() {
        ApplicationContextRunner named = StarterApplications.onlyOurs()
                .withPropertyValues(StarterApplications.properties(database))
                .withBean(HappenedView.class);
        for (String name : COMMON_NAMES) {
            named = named.withBean(name, String.class, () -> "the application's");
        }
        named.run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(EventStore.class).hasSingleBean(ViewReader.class);
            assertThat(context.getBeansOfType(String.class)).containsKeys(COMMON_NAMES);
        });
    }

    @Test
    void bean_names_of_the_starter_start_with_registrar_or_are_health_names() {
        application.withBean(HappenedView.class).run(context -> {
            var beans = context.getSourceApplicationContext().getBeanFactory();
            List<String> names = List.of(beans.getBeanDefinitionNames()).stream()
                    .filter(name -> isOurs(beans.getBeanDefinition(name)))
                    .toList();
            assertThat(names)
                    .hasSizeGreaterThan(15)
                    .filteredOn(name -> !name.startsWith("registrar"))
                    .containsExactlyInAnyOrder("eventStoreHealth", "projectionsHealthIndicator");
        });
    }

    private static boolean isOurs(BeanDefinition bean) {
        String factory = bean.getFactoryBeanName();
        return factory != null && factory.startsWith(OwnBeansTest.class.getPackageName());
    }
}
