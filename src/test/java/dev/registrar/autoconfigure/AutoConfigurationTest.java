package dev.registrar.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.TestDatabase;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.metrics.Metrics;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.projection.ViewReader;
import dev.registrar.subscription.LiveFeed;
import dev.registrar.subscription.Subscriptions;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** What an application gets that has the starter and a database, and nothing of the course office. */
class AutoConfigurationTest {
    private final TestDatabase database = TestDatabase.create();

    private ApplicationContextRunner application;

    /** An application with whatever auto-configurations are found, ours and Spring Boot's. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @BeforeEach
    void configure() {
        application = database(new ApplicationContextRunner().withUserConfiguration(Application.class));
    }

    private ApplicationContextRunner database(ApplicationContextRunner runner) {
        return runner.withPropertyValues(
                "management.otlp.metrics.export.enabled=false",
                "spring.datasource.url=" + database.url(),
                "spring.datasource.username=" + database.username(),
                "spring.datasource.password=" + database.password());
    }

    private static ApplicationContextRunner onlyOurs() {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(Stream.concat(Stream.of(DataSourceAutoConfiguration.class), ours())
                                .toArray(Class<?>[]::new)));
    }

    @AfterEach
    void dropDatabase() {
        database.close();
    }

    private static Stream<Class<?>> ours() {
        return StreamSupport.stream(
                        ImportCandidates.load(AutoConfiguration.class, null).spliterator(), false)
                .filter(name -> name.startsWith("dev.registrar."))
                .map(AutoConfigurationTest::named);
    }

    private static Class<?> named(String name) {
        try {
            return Class.forName(name, false, AutoConfigurationTest.class.getClassLoader());
        } catch (ClassNotFoundException missing) {
            throw new AssertionError("There is no class " + name, missing);
        }
    }

    @Test
    void every_configuration_is_found_and_stands_behind_classes_that_exist() {
        assertThat(ours()).contains(EventStoreAutoConfiguration.class).allSatisfy(each -> {
            AutoConfiguration order = each.getAnnotation(AutoConfiguration.class);
            assertThat(order).as(each.getName()).isNotNull();
            Stream.of(order.afterName(), order.beforeName()).flatMap(Stream::of).forEach(AutoConfigurationTest::named);
        });
    }

    @Test
    void an_application_with_a_database_has_an_event_store() {
        application.run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(EventStore.class)
                    .hasSingleBean(Subscriptions.class)
                    .hasSingleBean(LiveFeed.class);
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
    void settings_below_registrar_are_the_stores() {
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
    void beans_of_the_application_come_first() {
        InstantSource clock = InstantSource.system();
        InMemoryEventStore store = new InMemoryEventStore(clock);
        application
                .withBean(InstantSource.class, () -> clock)
                .withBean(EventStore.class, () -> store)
                .withBean(Metrics.class, Metrics::none)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(InstantSource.class)
                        .hasSingleBean(EventStore.class)
                        .doesNotHaveBean(PostgresEventStore.class)
                        .hasSingleBean(Metrics.class)
                        .hasSingleBean(Subscriptions.class));
    }

    @Test
    void neither_meters_nor_health_are_needed() {
        database(onlyOurs())
                .withClassLoader(new FilteredClassLoader("io.micrometer", "org.springframework.boot.health"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(PostgresEventStore.class));
    }

    @Test
    void an_application_without_a_database_has_no_store_and_starts() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ours().toArray(Class<?>[]::new)))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(EventStore.class));
    }

    @Test
    void the_library_starts_nothing_of_the_course_office() {
        application.run(context -> assertThat(List.of(context.getBeanDefinitionNames()))
                .noneMatch(name -> name.contains("course") || name.contains("enrollment")));
    }

    /* The service's file has classes of the service, too, so that the starter cannot have the same one. */
    @Test
    void the_starter_has_the_services_failure_analyzers_of_the_library() throws IOException {
        assertThat(analyzers("src/main/poms/starter"))
                .isNotEmpty()
                .containsExactlyElementsOf(analyzers("src/main/resources").stream()
                        .filter(name -> name.startsWith("dev.registrar.autoconfigure."))
                        .toList());
    }

    private static List<String> analyzers(String directory) throws IOException {
        Properties factories = new Properties();
        try (Reader file = Files.newBufferedReader(Path.of(directory, "META-INF", "spring.factories"))) {
            factories.load(file);
        }
        return List.of(factories.getProperty(FailureAnalyzer.class.getName()).split(","));
    }
}
