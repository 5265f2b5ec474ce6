package dev.registrar.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.benmanes.caffeine.cache.Cache;
import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.postgres.StoreDatabase;
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
import java.util.concurrent.Callable;
import org.apache.commons.logging.Log;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.postgresql.Driver;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeanUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.Assert;

/** Views, subscriptions and listeners in an application with spring-jdbc and without the other optional libraries. */
class StandaloneFollowersTest {
    /**
     * The library's own classes, the program, the required libraries of the store, and spring-jdbc with its
     * dependencies.
     */
    private static final List<Class<?>> REQUIRED = List.of(
            ProjectionRunner.class,
            StandaloneFollowers.class,
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
            TaggedCircuitBreakerMetrics.class,
            JdbcClient.class,
            DataAccessException.class,
            BeanUtils.class,
            Assert.class,
            Log.class);

    @AutoClose
    private final StoreDatabase store = new StoreDatabase();

    private final TestDatabase database = store.database();

    @Test
    void followers_need_spring_jdbc_and_no_other_optional_library() throws Exception {
        try (URLClassLoader alone = requiredAlone()) {
            assertThatThrownBy(() -> alone.loadClass("org.springframework.boot.SpringApplication"))
                    .isInstanceOf(ClassNotFoundException.class);
            assertThatThrownBy(() -> alone.loadClass("org.flywaydb.core.Flyway"))
                    .isInstanceOf(ClassNotFoundException.class);
            Callable<?> program = (Callable<?>) alone.loadClass(StandaloneFollowers.class.getName())
                    .getConstructor(String.class, String.class, String.class)
                    .newInstance(database.url(), database.username(), database.password());

            assertThat(program.call()).isEqualTo(List.of("view [1]", "subscription 1", "listener 1"));
        }
    }

    @Test
    void closed_followers_leave_no_connection_open() throws InterruptedException {
        long before = connections();

        new StandaloneFollowers(database.url(), database.username(), database.password()).call();

        await().until(() -> connections() <= before);
    }

    private long connections() {
        return JdbcClient.create(database.dataSource())
                .sql("""
                        select count(*)
                        from pg_stat_activity
                        where datname = current_database()
                        and backend_type = 'client backend'
                        and pid <> pg_backend_pid()""")
                .query(Long.class)
                .single();
    }

    private static URLClassLoader requiredAlone() {
        URL[] locations = REQUIRED.stream()
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .distinct()
                .toArray(URL[]::new);
        return new URLClassLoader(locations, ClassLoader.getPlatformClassLoader());
    }
}
