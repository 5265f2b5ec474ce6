package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Failures;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.connection.StoreConnections;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The category of each failure of the server. */
class FailureCategoriesTest extends ProxiedStoreFixture {
    private static Stream<Arguments> mishaps() {
        return Stream.of(
                Arguments.of(
                        FailureCategory.CONNECTION,
                        sql("set default_transaction_read_only = on", "delete from registrar.idempotency_keys")),
                Arguments.of(FailureCategory.TRANSIENT, sql("select pg_terminate_backend(pg_backend_pid())")),
                Arguments.of(FailureCategory.TIMEOUT, sql("set statement_timeout = '10ms'", "select pg_sleep(10)")),
                Arguments.of(FailureCategory.LOCK_TIMEOUT, (Mishap) FailureCategoriesTest::waitInVain),
                Arguments.of(FailureCategory.SERIALIZATION, (Mishap) FailureCategoriesTest::readWhatAnotherWrites),
                Arguments.of(FailureCategory.DEADLOCK, (Mishap) FailureCategoriesTest::deadlock),
                Arguments.of(
                        FailureCategory.CONSTRAINT, sql("insert into registrar.idempotency_keys (key) values (null)")),
                Arguments.of(FailureCategory.CONSTRAINT, sql("select 1 / 0")),
                Arguments.of(FailureCategory.SYNTAX, sql("selec 1")),
                Arguments.of(
                        FailureCategory.OUT_OF_RESOURCES,
                        sql(
                                "set temp_file_limit = 0",
                                "set work_mem = '64kB'",
                                "select * from generate_series(1, 100000)" + " order by random()")),
                Arguments.of(FailureCategory.UNKNOWN, sql("do $$ begin raise exception 'no reason'; end $$")));
    }

    @ParameterizedTest
    @MethodSource("mishaps")
    void each_failure_of_the_server_has_its_category(FailureCategory category, Mishap mishap) {
        begin(Map.of());
        Database asked = StoreDatabase.on(pool, StoreDatabase.defaultSettings(), meters);

        assertThatThrownBy(() -> asked.call(Duration.ofSeconds(10), false, connection -> {
                    mishap.on(connection);
                    return category;
                }))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        failure -> assertThat(Failures.category(failure)).isEqualTo(category));
        assertThat(failures(category)).isEqualTo(1);
        assertThat(asked.breaker().getMetrics().getNumberOfFailedCalls()).isEqualTo(category.isOutage() ? 1 : 0);
    }

    private static void waitInVain(Connection connection) throws SQLException {
        try (Connection holder = database.connect()) {
            sql("select pg_advisory_lock(77)").on(holder);
            sql("set lock_timeout = '10ms'", "select pg_advisory_lock(77)").on(connection);
        }
    }

    private static void readWhatAnotherWrites(Connection connection) throws SQLException {
        sql("create table if not exists seats (free int)", "delete from seats", "insert into seats values (1)")
                .on(connection);
        connection.setAutoCommit(false);
        sql("set transaction isolation level serializable", "select * from seats")
                .on(connection);
        database.execute("update seats set free = 0");
        sql("update seats set free = 0").on(connection);
    }

    private static void deadlock(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Connection other = database.connect()) {
            other.setAutoCommit(false);
            sql("set deadlock_timeout = '1h'", "select pg_advisory_xact_lock(1)")
                    .on(other);
            sql("set deadlock_timeout = '50ms'", "select pg_advisory_xact_lock(2)")
                    .on(connection);
            Thread waiting = Thread.ofVirtual().start(() -> {
                try {
                    sql("select pg_advisory_xact_lock(2)").on(other);
                } catch (SQLException over) {
                    // The test has ended and closed its connection.
                }
            });
            await().until(() -> database.advisoryLocksWaitedFor() == 1);
            try {
                sql("select pg_advisory_xact_lock(1)").on(connection);
            } finally {
                connection.rollback();
                join(waiting);
            }
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void a_server_that_accepts_no_more_connections_is_out_of_resources() {
        database.execute("alter database %s with connection limit 0"
                .formatted(database.database().name()));
        database.execute("create role crowd login password 'crowd'");
        try {
            StoreOptions bound = StoreDatabase.settings(Map.of("connection-timeout", "250ms"));
            try (var crowded = StoreConnections.open(new StoreAddress(proxy.url(), "crowd", "crowd"), bound)) {
                assertThatThrownBy(new PostgresEventStore(
                                crowded,
                                bound,
                                StoreDatabase.context(InstantSource.system(), new CompositeMeterRegistry()))::head)
                        .isInstanceOfSatisfying(
                                EventStoreException.class,
                                failure -> assertThat(failure.category()).contains(FailureCategory.OUT_OF_RESOURCES));
            }
        } finally {
            database.execute("drop role crowd");
            database.execute("alter database %s with connection limit -1"
                    .formatted(database.database().name()));
        }
    }
}
