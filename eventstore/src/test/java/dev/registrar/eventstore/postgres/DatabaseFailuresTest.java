package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.connection.LostConnections;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The store with a slow or lost database: a real server behind a proxy. {@code FaultsTest} has the faults under load.
 */
class DatabaseFailuresTest extends ProxiedStoreFixture {
    private static final int LOST_ANSWERS = 5;

    @Test
    void a_read_whose_connection_is_cut_is_retried_and_answered() {
        begin(LONG_TIMEOUT);
        assertThat(store.append(append("{}"))).isInstanceOf(Appended.class);
        for (int i = 0; i < 3; i++) {
            proxy.cut();
            assertThat(store.count(Query.all())).isEqualTo(1);
        }
        assertThat(failures(FailureCategory.CONNECTION)).isPositive();
    }

    @Test
    void nothing_is_retried_inside_a_callers_transaction() {
        begin(Map.of());
        TransactionSynchronizationManager.setActualTransactionActive(true);
        try {
            proxy.cut();
            assertThatThrownBy(() -> store.count(Query.all())).isInstanceOf(StoreUnavailableException.class);
        } finally {
            TransactionSynchronizationManager.setActualTransactionActive(false);
        }
        assertThat(meters.get("registrar.store.retries").counter().count()).isZero();
    }

    @Test
    void an_append_without_a_key_whose_answer_is_lost_is_never_sent_again() {
        begin(LONG_TIMEOUT);
        for (int i = 0; i < LOST_ANSWERS; i++) {
            String payload = "\"cut-reply-%s;\"".formatted(i);
            assertThatThrownBy(() -> store.append(append(payload))).isInstanceOf(OutcomeUnknownException.class);
        }

        assertThat(payloads())
                .containsExactlyElementsOf(IntStream.range(0, LOST_ANSWERS)
                        .mapToObj("\"cut-reply-%s;\""::formatted)
                        .toList());
    }

    @Test
    void an_unknown_outcome_is_not_reported_as_unchanged_after_an_outage() {
        begin(Map.of("connection-timeout", "250ms"));
        Append keyed = append("\"cut-reply-0;\"").under(new IdempotencyKey("key", "same"));
        proxy.refuseAfterLostReply();

        assertThatThrownBy(() -> store.append(keyed)).isInstanceOf(OutcomeUnknownException.class);

        proxy.accept();
        await().ignoreExceptions().untilAsserted(() -> assertThat(payloads()).hasSize(1));
    }

    @Test
    void a_read_only_server_counts_as_lost_until_it_accepts_writes_again() throws SQLException {
        begin(Map.of(
                "breaker.minimum-calls",
                4,
                "breaker.open-for",
                "200ms",
                "breaker.trial-calls",
                2,
                "connection-timeout",
                "250ms"));
        assertThat(store.append(append("1"))).isInstanceOf(Appended.class);
        turnReadOnly();
        try {
            assertThatThrownBy(() -> store.append(append("2")))
                    .isInstanceOfSatisfying(
                            StoreUnavailableException.class,
                            failure -> assertThat(failure.category()).contains(FailureCategory.CONNECTION));
            // Reads do not keep the server in use, although it would answer them.
            await().untilAsserted(() -> {
                assertThatThrownBy(() -> store.append(append("2"))).isInstanceOf(StoreUnavailableException.class);
                assertUnavailable();
                assertThat(store.breaker().getState()).isEqualTo(State.OPEN);
            });
        } finally {
            database.database().setReadOnly(false);
        }

        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(store.append(append("3"))).isInstanceOf(Appended.class));
        awaitClosedCircuit();
        assertThat(payloads()).containsExactly("1", "3");
    }

    /* Both new and existing sessions, as after a change of the server's configuration. */
    private void turnReadOnly() throws SQLException {
        await().until(() -> pool.getHikariPoolMXBean().getIdleConnections() == pool.getMaximumPoolSize());
        database.database().setReadOnly(true);
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
            all.add(pool.getConnection());
            sql("set default_transaction_read_only = on").on(all.getLast());
        }
        for (Connection connection : all) {
            connection.close();
        }
    }

    @Test
    void a_pool_drops_a_connection_whose_server_is_read_only() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.database().url());
        config.setUsername(database.database().username());
        config.setPassword(database.database().password());
        config.setMaximumPoolSize(1);
        config.setExceptionOverride(new LostConnections());
        try (HikariDataSource one = new HikariDataSource(config)) {
            long failed;
            try (Connection connection = one.getConnection()) {
                failed = process(connection);
                Mishap write = sql("set default_transaction_read_only = on", "delete from registrar.idempotency_keys");
                assertThatThrownBy(() -> write.on(connection)).isInstanceOf(SQLException.class);
            }
            try (Connection connection = one.getConnection()) {
                assertThat(process(connection)).isNotEqualTo(failed);
                assertThatThrownBy(() -> sql("selec 1").on(connection)).isInstanceOf(SQLException.class);
                failed = process(connection);
            }
            try (Connection connection = one.getConnection()) {
                assertThat(process(connection)).isEqualTo(failed);
            }
        }
    }

    private static long process(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void a_hundred_callers_of_five_slow_connections_are_answered_or_shed() throws Exception {
        begin(Map.of("read-connections", 5, "max-waiting-reads", 20, "connection-timeout", "500ms"));
        proxy.delay(Duration.ofMillis(50));
        List<Callable<Boolean>> calls = LongStream.range(0, 100)
                .<Callable<Boolean>>mapToObj(i -> this::isAnswered)
                .toList();
        long answered = 0;
        for (Future<Boolean> call : callers.invokeAll(calls)) {
            answered += call.get() ? 1 : 0;
        }

        assertThat(answered).isBetween(5L, 99L);
        assertThat(proxy.connected()).isLessThanOrEqualTo(2 * pool.getMaximumPoolSize());
        assertThat(meters.get("registrar.store.budget.waiting")
                        .tag("use", "read")
                        .gauge()
                        .value())
                .isZero();
        proxy.delay(Duration.ZERO);
        assertThat(store.append(append("{}"))).isInstanceOf(Appended.class);
        assertThat(store.count(Query.all())).isEqualTo(1);
    }

    /* False if the call was shed; any other failure fails the test. */
    private boolean isAnswered() {
        try {
            return !store.exists(Query.all());
        } catch (OverloadedException | StoreTimeoutException shed) {
            return false;
        }
    }

    @Test
    void a_deadline_ends_statements_and_waits_for_a_connection() throws SQLException {
        begin(Map.of());
        try (Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            StoreDatabase.lockStore(holder);
            Future<?> leader = callers.submit(() -> store.append(append("{}")));
            await().until(() -> database.advisoryLocksWaitedFor() == 1);

            assertThatThrownBy(() -> Deadline.within(Duration.ofMillis(100), () -> store.append(append("{}"))))
                    .isInstanceOf(StoreTimeoutException.class)
                    .hasMessageContaining("was not sent");
            sql("lock table registrar.events in access exclusive mode").on(holder);
            Deadline.runWithin(Duration.ofMillis(200), () -> {
                assertThatThrownBy(() -> store.count(Query.all()))
                        .isInstanceOfSatisfying(
                                StoreTimeoutException.class,
                                late -> assertThat(late.category()).contains(FailureCategory.TIMEOUT));
                assertThatThrownBy(store::head)
                        .isInstanceOf(StoreTimeoutException.class)
                        .hasMessageContaining("deadline has passed");
            });
            assertThat(leader).isNotDone();
            holder.rollback();
        }
    }
}
