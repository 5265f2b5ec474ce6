package dev.registrar.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.schema.StoreStartFailure;
import dev.registrar.projection.ViewReader;
import dev.registrar.subscription.Notifications;
import dev.registrar.testdatabase.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Applications that define one or more {@code DataSource}s. */
@ExtendWith(OutputCaptureExtension.class)
class OwnDataSourceTest {
    private static TestDatabase database;
    private static TestDatabase other;

    @BeforeAll
    static void create() {
        database = TestDatabase.create();
        other = TestDatabase.create();
    }

    @BeforeEach
    void empty() throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("drop schema if exists registrar cascade");
        }
    }

    @AfterAll
    static void drop() {
        database.close();
        other.close();
    }

    private ApplicationContextRunner ownDataSource() {
        return StarterApplications.any().withBean("pool", DataSource.class, () -> database.pool(5));
    }

    /** The application's own settings of its database. */
    record ShopDatabase(String url, String username, String password) {}

    @Configuration(proxyBeanMethods = false)
    static class HasAddress {

        @Bean
        StoreAddress storeAddress(ShopDatabase shop) {
            return new StoreAddress(shop.url(), shop.username(), shop.password());
        }
    }

    @Test
    void a_store_address_of_the_application_has_priority() {
        ownDataSource()
                .withUserConfiguration(HasAddress.class)
                .withBean(
                        ShopDatabase.class,
                        () -> new ShopDatabase(database.url(), database.username(), database.password()))
                .withPropertyValues(StarterApplications.properties(other))
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(StoreAddress.class);
                    assertAppends(context.getBean(EventStore.class));
                });
        assertThat(hasStore(other)).isFalse();
    }

    private static Appended assertAppends(EventStore store) {
        return (Appended) store.append(Append.of(Event.of("Happened", "{}", "thing:1")));
    }

    private static boolean hasStore(TestDatabase database) {
        try (Connection connection = database.dataSource().getConnection();
                ResultSet tables = connection.getMetaData().getTables(null, "registrar", "events", null)) {
            return tables.next();
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Test
    void without_connection_details_the_settings_of_the_data_source_are_the_address() {
        ownDataSource()
                .withPropertyValues(StarterApplications.properties(database))
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(PostgresEventStore.class);
                    assertAppends(context.getBean(EventStore.class));
                });
    }

    @Test
    void without_an_address_the_start_fails_and_names_the_missing_setting() {
        ownDataSource().run(context -> {
            StoreStartFailure failure = startFailure(context);

            assertThat(failure.description()).contains("spring.datasource.url is not set");
            assertThat(failure.action())
                    .contains("spring.datasource.url", "spring.datasource.username", "spring.datasource.password")
                    .contains(StoreAddress.class.getName());
        });
        assertThat(hasStore(database)).isFalse();
    }

    private static StoreStartFailure startFailure(AssertableApplicationContext context) {
        for (Throwable cause = context.getStartupFailure(); cause != null; cause = cause.getCause()) {
            if (cause instanceof StoreStartFailure failure) {
                return failure;
            }
        }
        throw new AssertionError("No store start failure", context.getStartupFailure());
    }

    @Test
    void the_refusal_of_another_database_omits_its_credentials() {
        ownDataSource()
                .withPropertyValues("spring.datasource.url=jdbc:h2:mem:test;USER=sa;PASSWORD=secret")
                .run(context -> assertThat(startFailure(context).description())
                        .contains("'jdbc:h2:'")
                        .doesNotContain("secret"));
    }

    @Test
    void the_store_uses_the_primary_one_of_two_data_sources() {
        twoDataSources(true).withBean(HappenedView.class).run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(Notifications.class);
            Appended appended = assertAppends(context.getBean(EventStore.class));
            assertThat(context.getBean(ViewReader.class)
                            .read(context.getBean(HappenedView.class), appended.last(), HappenedView::count)
                            .found())
                    .isEqualTo(1);
        });
        assertThat(hasStore(other)).isFalse();
    }

    private ApplicationContextRunner twoDataSources(boolean isPoolPrimary) {
        return StarterApplications.with(database)
                .withPropertyValues("spring.flyway.enabled=false")
                .withBean("pool", DataSource.class, () -> database.pool(5), bean -> bean.setPrimary(isPoolPrimary))
                .withBean("reports", DataSource.class, () -> other.pool(5));
    }

    @Test
    void two_data_sources_without_a_primary_one_create_no_store() {
        twoDataSources(false).run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(EventStore.class));
        assertThat(hasStore(database)).isFalse();
    }

    @Test
    void views_with_an_ambiguous_data_source_stop_the_start_with_a_message() {
        twoDataSources(false).withBean("happened", HappenedView.class).run(context -> {
            StoreStartFailure failure = startFailure(context);

            assertThat(failure.description())
                    .contains("(happened)", "no EventStore", "several beans of the type DataSource (pool, reports)");
            assertThat(failure.action()).contains("primary", "registrar.projections.enabled");
        });
        twoDataSources(false)
                .withBean(HappenedView.class)
                .withPropertyValues("registrar.projections.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** An application that needs a store and has two {@code DataSource}s. */
    @Configuration(proxyBeanMethods = false)
    static class WantsStore {

        @Bean
        DataSource pool() {
            return new DriverManagerDataSource("jdbc:postgresql://127.0.0.1:1/a");
        }

        @Bean
        DataSource reports() {
            return new DriverManagerDataSource("jdbc:postgresql://127.0.0.1:1/b");
        }

        @Bean
        List<Object> bookings(EventStore store) {
            return List.of(store);
        }
    }

    @Test
    void the_failure_of_an_application_without_a_store_lists_its_data_sources(CapturedOutput output) {
        SpringApplicationBuilder application = new SpringApplicationBuilder(
                        StarterApplications.Application.class, WantsStore.class)
                .web(WebApplicationType.NONE)
                .properties("management.otlp.metrics.export.enabled=false", "spring.flyway.enabled=false");

        assertThatThrownBy(application::run).isInstanceOf(UnsatisfiedDependencyException.class);
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(" of method bookings")
                .contains("several beans of the type DataSource (pool, reports), none of which is primary");
    }

    @Test
    void a_database_that_is_not_migrated_and_cannot_be_reached_ends_the_start_with_one_sentence(CapturedOutput output) {
        SpringApplicationBuilder application = new SpringApplicationBuilder(StarterApplications.Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "management.otlp.metrics.export.enabled=false",
                        "registrar.store.migrate=false",
                        "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/a");

        assertThatThrownBy(application::run);
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("The event store's database cannot be reached: ")
                .contains("spring.datasource.url");
    }
}
