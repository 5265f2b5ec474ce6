package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When the circuit breaker of a store opens and closes, and which failures count. */
class StoreCircuitBreakerTest extends ProxiedStoreFixture {
    @Test
    void the_circuit_opens_rejects_calls_makes_trial_calls_and_closes() {
        begin(Map.of(
                "breaker.minimum-calls",
                4,
                "breaker.open-for",
                "10m",
                "breaker.trial-calls",
                2,
                "connection-timeout",
                "250ms"));
        proxy.refuse();
        while (store.breaker().getMetrics().getNumberOfBufferedCalls() < 4) {
            assertThat(store.breaker().getState()).isEqualTo(State.CLOSED);
            assertUnavailable();
        }
        assertThat(store.breaker().getState()).isEqualTo(State.OPEN);

        assertThatThrownBy(() -> store.append(append("{}")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("Circuit breaker open");
        assertThat(meters.get("resilience4j.circuitbreaker.not.permitted.calls")
                        .counter()
                        .count())
                .isEqualTo(1);

        store.breaker().transitionToHalfOpenState();
        assertUnavailable();
        assertThat(store.breaker().getState()).isEqualTo(State.HALF_OPEN);
        assertUnavailable();
        assertThat(store.breaker().getState()).isEqualTo(State.OPEN);

        proxy.accept();
        await().ignoreExceptions().untilAsserted(() -> {
            if (store.breaker().getState() == State.OPEN) {
                store.breaker().transitionToHalfOpenState();
            }
            assertThat(store.append(append("{}"))).isInstanceOf(Appended.class);
            assertThat(store.breaker().getState()).isEqualTo(State.CLOSED);
        });
    }

    @Test
    void failures_not_caused_by_the_database_never_open_the_circuit() throws SQLException {
        begin(Map.of("breaker.minimum-calls", 1, "breaker.failure-rate", 1, "lock-timeout", "10ms"));
        Append guarded =
                append("{}").onCondition(AppendCondition.failIfEventsMatch(Query.of(QueryItem.tags("seat:1"))));
        assertThat(store.append(guarded)).isInstanceOf(Appended.class);
        for (int i = 0; i < 5; i++) {
            assertThat(store.append(guarded)).isInstanceOf(Conflict.class);
        }
        try (Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            StoreDatabase.lockStore(holder);
            assertThatThrownBy(() -> store.append(append("{}"))).isInstanceOf(StoreTimeoutException.class);
            holder.rollback();
        }
        database.execute(
                "alter table registrar.events add constraint no_bad_payload check (payload <> '\"bad\"') not valid");
        try {
            assertThatThrownBy(() -> store.append(append("\"bad\""))).isInstanceOf(RefusedInputException.class);
        } finally {
            database.execute("alter table registrar.events drop constraint no_bad_payload");
        }

        assertThat(store.breaker().getState()).isEqualTo(State.CLOSED);
        assertThat(store.breaker().getMetrics().getNumberOfFailedCalls()).isZero();
        assertThat(failures(FailureCategory.LOCK_TIMEOUT)).isEqualTo(1);
        assertThat(failures(FailureCategory.CONSTRAINT)).isEqualTo(1);
    }

    @Test
    void callers_with_short_deadlines_do_not_open_the_circuit() throws SQLException {
        begin(Map.of("breaker.failure-rate", 1));
        ResourceLocks room = ResourceLocks.of(List.of("room"), Duration.ofSeconds(8));
        try (Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            sql("lock table registrar.events in access exclusive mode").on(holder);
            StoreDatabase.lockResources(holder, "room");
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> Deadline.within(Duration.ofMillis(30), () -> store.count(Query.all())))
                        .isInstanceOf(StoreTimeoutException.class);
                assertThatThrownBy(() -> Deadline.within(
                                Duration.ofMillis(30),
                                () -> store.append(append("{}").holding(room))))
                        .isInstanceOf(StoreTimeoutException.class);
            }
            holder.rollback();
        }

        assertThat(failures(FailureCategory.TIMEOUT)).isPositive();
        assertThat(store.breaker().getMetrics().getNumberOfFailedCalls()).isZero();
        assertThat(store.append(append("{}").holding(room))).isInstanceOf(Appended.class);
    }

    /* A group is not limited by a caller's deadline: its time-out is a failure of the database. */
    @Test
    void a_time_out_of_a_group_counts_regardless_of_a_callers_deadline() throws SQLException {
        begin(Map.of("statement-timeout", "400ms"));
        try (Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            sql("lock table registrar.events in access exclusive mode").on(holder);
            assertThatThrownBy(() -> Deadline.within(Duration.ofMillis(100), () -> store.append(append("{}"))))
                    .isInstanceOf(StoreTimeoutException.class);
            holder.rollback();
        }

        assertThat(store.breaker().getMetrics().getNumberOfFailedCalls()).isOne();
    }

    @Test
    void a_call_that_did_not_reach_the_database_does_not_count() {
        halfOpen();
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> Deadline.within(Duration.ZERO, store::head))
                    .isInstanceOf(StoreTimeoutException.class);
        }
        assertThat(store.breaker().getState()).isEqualTo(State.HALF_OPEN);

        for (int i = 0; i < 3; i++) {
            assertThat(store.exists(Query.all())).isFalse();
        }
        assertThat(store.breaker().getState()).isEqualTo(State.CLOSED);
    }

    @Test
    void a_bug_leaves_no_trial_call_behind() {
        halfOpen();
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> store.database().run("select 1", statement -> {
                        throw new AssertionError("a bug");
                    }))
                    .hasMessage("a bug");
        }

        // The trial calls were released, so others may be made.
        for (int i = 0; i < 3; i++) {
            assertThat(store.exists(Query.all())).isFalse();
        }
        assertThat(store.breaker().getState()).isEqualTo(State.CLOSED);
    }

    @Test
    void a_circuit_breaker_that_is_disabled_rejects_no_call() {
        begin(Map.of(
                "breaker.enabled",
                false,
                "breaker.minimum-calls",
                1,
                "retry.max-retries",
                0,
                "connection-timeout",
                "250ms"));
        proxy.refuse();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(store::head)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageNotContaining("Circuit");
        }

        assertThat(store.breaker().getState()).isEqualTo(State.DISABLED);
    }

    @Test
    void a_call_rejected_by_the_circuit_fails_at_once() {
        halfOpen();
        while (store.breaker().tryAcquirePermission()) {
            // All trial calls are in flight.
        }

        assertUnavailable();
        assertThat(meters.get("registrar.store.retries").counter().count()).isZero();
    }

    @Test
    void calls_without_a_request_are_enough_to_close_the_circuit() {
        begin(Map.of("breaker.open-for", "200ms"));
        store.breaker().transitionToOpenState();
        assertThat(store.breaker().getState()).isEqualTo(State.OPEN);

        awaitClosedCircuit();
    }

    private void halfOpen() {
        begin(Map.of());
        store.breaker().transitionToOpenState();
        store.breaker().transitionToHalfOpenState();
    }
}
