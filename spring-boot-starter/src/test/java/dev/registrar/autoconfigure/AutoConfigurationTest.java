package dev.registrar.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.ReadReplica;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.eventstore.postgres.schema.StoreSchema;
import dev.registrar.eventstore.postgres.schema.StoreStartFailure;
import dev.registrar.options.InvalidOptionException;
import dev.registrar.projection.ProjectionRunner;
import dev.registrar.projection.ViewReader;
import dev.registrar.subscription.LiveFeed;
import dev.registrar.subscription.Subscriptions;
import dev.registrar.testdatabase.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import org.springframework.util.ClassUtils;

/** The beans of an application that has the starter and a database, without the course office. */
class AutoConfigurationTest {
    @AutoClose
    private final StoreDatabase store = new StoreDatabase();

    private final TestDatabase database = store.database();
    private final ApplicationContextRunner application = StarterApplications.with(database);

    @Test
    void every_configuration_is_listed_and_ordered_after_existing_classes() {
        assertThat(StarterApplications.ours())
                .contains(EventStoreAutoConfiguration.class)
                .allSatisfy(each -> {
                    AutoConfiguration order = each.getAnnotation(AutoConfiguration.class);
                    assertThat(order).as(each.getName()).isNotNull();
                    Stream.of(order.afterName(), order.beforeName())
                            .flatMap(Stream::of)
                            .forEach(StarterApplications::named);
                });
    }

    @Test
    void an_application_with_a_database_has_an_event_store_and_nothing_that_it_does_not_need() {
        application.run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(EventStore.class)
                    .hasSingleBean(Subscriptions.class)
                    .hasSingleBean(LiveFeed.class)
                    .hasSingleBean(CpuExecutor.class)
                    .doesNotHaveBean(ProjectionRunner.class)
                    .doesNotHaveBean(ScheduledAnnotationBeanPostProcessor.class);
            assertThat(context.getBean(EventStore.class).append(Append.of(Event.of("Happened", "{}", "thing:1"))))
                    .isInstanceOf(Appended.class);
            assertThat(context.getBeansOfType(HealthIndicator.class)).containsKey("eventStoreHealth");
            assertThat(context.getBean(MeterRegistry.class).getMeters())
                    .extracting(meter -> meter.getId().getName())
                    .anyMatch(name -> name.startsWith("registrar.store."));
        });
    }

    @Test
    void views_that_are_beans_are_filled() {
        application.withBean(HappenedView.class).run(context -> {
            Appended appended = (Appended)
                    context.getBean(EventStore.class).append(Append.of(Event.of("Happened", "{}", "thing:1")));

            assertThat(context.getBean(ViewReader.class)
                            .read(context.getBean(HappenedView.class), appended.last(), HappenedView::count)
                            .found())
                    .isEqualTo(1);
            assertThat(context.getBeansOfType(HealthIndicator.class)).containsKey("projectionsHealthIndicator");
        });
    }

    @Test
    void a_pool_of_three_connections_is_enough_also_without_auto_commit() {
        application
                .withBean(HappenedView.class)
                .withPropertyValues(
                        "spring.datasource.hikari.maximum-pool-size=3", "spring.datasource.hikari.auto-commit=false")
                .run(context -> {
                    Appended appended = (Appended)
                            context.getBean(EventStore.class).append(Append.of(Event.of("Happened", "{}", "thing:1")));

                    assertThat(context.getBean(ViewReader.class)
                                    .read(context.getBean(HappenedView.class), appended.last(), HappenedView::count)
                                    .found())
                            .isEqualTo(1);
                });
    }

    @Test
    void searches_leave_two_connections_of_the_pool_to_others() {
        application
                .withBean(HappenedView.class)
                .withPropertyValues(
                        "spring.datasource.hikari.maximum-pool-size=5", "registrar.projections.max-searches=4")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidOptionException.class)
                        .hasMessageContaining("1 to 3 but is 4"));
    }

    @Test
    void a_smaller_pool_ends_the_start_before_it_connects() {
        application
                .withPropertyValues("spring.datasource.hikari.maximum-pool-size=2")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(StoreStartFailure.class, failure -> {
                            assertThat(failure.description())
                                    .startsWith(
                                            "The pool of the DataSource has at most 2 connections; it needs at least 3:");
                            assertThat(failure.action()).contains("spring.datasource.hikari.maximum-pool-size");
                        }));
    }

    @Test
    void settings_below_registrar_configure_the_store() {
        application.withPropertyValues("registrar.store.schema=other").run(context -> {
            assertThat(context.getBean(PostgresEventStore.class)
                            .head()
                            .position()
                            .value())
                    .isZero();
            try (var connection = database.dataSource().getConnection();
                    var tables = connection.getMetaData().getTables(null, "other", "events", null)) {
                assertThat(tables.next()).isTrue();
            }
        });
    }

    @Test
    void meters_health_and_migrations_of_the_application_are_optional() {
        assertThat(ClassUtils.isPresent("org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration", null))
                .isFalse();
        StarterApplications.onlyOurs()
                .withPropertyValues(StarterApplications.properties(database))
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
                .run(context -> assertThat(context.getBean(EventStore.class)
                                .append(Append.of(Event.of("NoteTaken", "{}", "note:1"))))
                        .isInstanceOf(Appended.class));
    }

    @Test
    void without_flyway_the_schema_is_checked_and_not_migrated() {
        ApplicationContextRunner withoutFlyway = application.withClassLoader(new FilteredClassLoader("org.flywaydb"));
        store.execute("drop schema registrar cascade");
        withoutFlyway.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(StoreStartFailure.class)
                .hasMessageContaining("has no event store"));

        StoreSchema.migrate(database.dataSource(), "registrar");

        withoutFlyway.run(context -> assertThat(context).hasNotFailed().hasSingleBean(PostgresEventStore.class));
    }

    @Test
    void a_start_does_not_need_the_replica_and_refuses_another_kind_of_server() {
        Query replicated = Query.of(QueryItem.types("Replicated"));
        application
                .withPropertyValues("registrar.replica.url=jdbc:postgresql://127.0.0.1:1/none")
                .run(context -> {
                    context.getBean(EventStore.class).append(Append.of(Event.of("Replicated", "{}")));
                    try (EventStream events =
                            context.getBean(ReadReplica.class).read(replicated, ReadOptions.forwards())) {
                        assertThat(events.toList()).hasSize(1);
                    }
                });
        application
                .withPropertyValues("registrar.replica.url=jdbc:mysql://user:secret@host/none")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(StoreStartFailure.class)
                        .hasMessage(
                                "The read replica must be a PostgreSQL server, but registrar.replica.url begins with"
                                        + " 'jdbc:mysql:' instead of 'jdbc:postgresql:'."));
    }

    @Test
    void views_without_a_database_stop_the_start_with_a_message() {
        StarterApplications.any()
                .withPropertyValues("spring.autoconfigure.exclude=" + DataSourceAutoConfiguration.class.getName())
                .withBean("happened", HappenedView.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(StoreStartFailure.class)
                        .hasMessageContaining("(happened): the application has no EventStore and no DataSource"));
    }

    @Test
    void an_application_without_a_database_has_no_store_and_starts() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(StarterApplications.ours().toArray(Class<?>[]::new)))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(EventStore.class));
    }

    @Test
    void an_editor_knows_the_settings_of_the_starter_and_none_of_the_service() throws IOException {
        String metadata = Files.readString(Path.of("target/classes/META-INF/spring-configuration-metadata.json"));
        List<?> properties =
                (List<?>) JsonParserFactory.getJsonParser().parseMap(metadata).get("properties");

        assertThat(properties)
                .extracting(property -> String.valueOf(((Map<?, ?>) property).get("name")))
                .contains(
                        "registrar.store.schema",
                        "registrar.projections.enabled",
                        "registrar.live.max-listeners",
                        "management.health.projections.enabled")
                .noneMatch(name ->
                        name.matches("registrar\\.(http|embedded|enrollment|imports|warm-up)\\b.*|registrar\\.load"));
    }
}
