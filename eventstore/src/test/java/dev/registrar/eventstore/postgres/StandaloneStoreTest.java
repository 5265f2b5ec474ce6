package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.benmanes.caffeine.cache.Cache;
import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.schema.StoreSchema;
import dev.registrar.eventstore.postgres.schema.StoreStartFailure;
import dev.registrar.testdatabase.TestDatabase;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.core.EventConsumer;
import io.github.resilience4j.micrometer.tagged.TaggedCircuitBreakerMetrics;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.Driver;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The store in an application that has neither Spring nor Flyway. */
class StandaloneStoreTest {
    /** The store's own classes, this program, and the required libraries of the store. */
    private static final List<Class<?>> REQUIRED = List.of(
            PostgresEventStore.class,
            StandaloneStore.class,
            Driver.class,
            HikariDataSource.class,
            LoggerFactory.class,
            Nullable.class,
            Cache.class,
            MeterRegistry.class,
            KeyValue.class,
            Observation.class,
            CircuitBreaker.class,
            EventConsumer.class,
            TaggedCircuitBreakerMetrics.class);

    private static TestDatabase database;

    @BeforeAll
    static void create() {
        database = TestDatabase.create();
    }

    @BeforeEach
    void empty() {
        JdbcClient.create(database.dataSource())
                .sql("drop schema if exists registrar cascade")
                .update();
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    @Test
    void the_store_works_without_its_optional_libraries() throws Exception {
        StoreSchema.migrate(database.dataSource(), "registrar");
        try (URLClassLoader alone = requiredAlone()) {
            assertThatThrownBy(() -> alone.loadClass("org.springframework.util.Assert"))
                    .isInstanceOf(ClassNotFoundException.class);

            assertThat(((Callable<?>) program(alone)).call()).isEqualTo(List.of("Appended", "Conflict", "CLOSED", "1"));
        }
    }

    @Test
    void a_migration_without_flyway_names_the_missing_library() throws Exception {
        try (URLClassLoader alone = requiredAlone()) {
            Object program = program(alone);

            assertThat(program.getClass().getMethod("migrate").invoke(program).toString())
                    .contains("flyway-core", "flyway-database-postgresql");
        }
    }

    private Object program(ClassLoader loader) throws ReflectiveOperationException {
        return loader.loadClass(StandaloneStore.class.getName())
                .getConstructor(String.class, String.class, String.class)
                .newInstance(database.url(), database.username(), database.password());
    }

    private static URLClassLoader requiredAlone() {
        URL[] locations = REQUIRED.stream()
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .distinct()
                .toArray(URL[]::new);
        return new URLClassLoader(locations, ClassLoader.getPlatformClassLoader());
    }

    @Test
    void a_closed_store_leaves_no_thread_behind() {
        StandaloneStore program = program();
        assertThat(program.migrate()).isEqualTo("migrated");
        Set<Thread> before = ofTheStore();

        assertThat(program.call()).startsWith("Appended", "Conflict").endsWith("1");

        await().until(() -> before.containsAll(ofTheStore()));
    }

    private static Set<Thread> ofTheStore() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("event-store"))
                .collect(Collectors.toSet());
    }

    private StandaloneStore program() {
        return new StandaloneStore(database.url(), database.username(), database.password());
    }

    @Test
    void opening_a_store_without_tables_explains_how_to_create_them() {
        assertThatThrownBy(program()::call)
                .isInstanceOfSatisfying(
                        StoreStartFailure.class,
                        failure -> assertThat(failure.action()).contains("migrate"));
    }

    @Test
    void a_database_that_cannot_be_reached_fails_the_opening() {
        assertThatThrownBy(() -> PostgresEventStore.open("jdbc:postgresql://127.0.0.1:1/nowhere", "guest", ""))
                .isInstanceOf(StoreUnavailableException.class);
    }
}
