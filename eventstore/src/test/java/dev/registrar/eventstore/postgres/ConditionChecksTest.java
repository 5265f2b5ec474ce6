package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.postgres.append.AppendAnswer;
import dev.registrar.eventstore.postgres.append.AppendEntry;
import dev.registrar.eventstore.postgres.append.AppendFunction;
import dev.registrar.eventstore.postgres.append.CheckedConditions;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Expensive conditions are checked concurrently with other appends. The check waits for a lock that the test holds, so
 * that the test controls its duration.
 */
@Timeout(120)
class ConditionChecksTest {
    private static final int EVENTS = 400;
    private static final QueryItem BOTH = QueryItem.tags("a", "b");
    private static final Append EXPENSIVE =
            Append.of(event("new")).onCondition(AppendCondition.failIfEventsMatch(Query.of(BOTH)));

    private static StoreDatabase database;

    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private SimpleMeterRegistry meters;
    private HikariDataSource pool;
    private PostgresEventStore store;
    private Connection holder;

    @BeforeAll
    static void open() {
        database = new StoreDatabase();
        database.execute(Protection.replaced(Protection.function("positions_in_lists"), "\nbegin\n", """

                begin
                    perform pg_advisory_lock_shared(4711);
                    perform pg_advisory_unlock_shared(4711);
                """));
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void fill() throws SQLException {
        database.clear();
        begin(Map.of());
        store.append(alternating(EVENTS));
        holder = database.connect();
        holder.setAutoCommit(false);
        try (Statement statement = holder.createStatement()) {
            statement.execute("select pg_advisory_xact_lock(4711)");
        }
    }

    @AfterEach
    void release() throws SQLException {
        holder.close();
        callers.close();
        pool.close();
    }

    private void begin(Map<String, ?> settings) {
        if (pool != null) {
            pool.close();
        }
        StoreOptions bound = StoreDatabase.settings(settings);
        meters = new SimpleMeterRegistry();
        pool = database.pool(bound);
        store = new PostgresEventStore(pool, bound, StoreDatabase.context(InstantSource.system(), meters));
    }

    private static Event event(String... tags) {
        return Event.of("Happened", "{}", tags);
    }

    private static List<Event> alternating(int events) {
        return IntStream.range(0, events)
                .mapToObj(i -> event(i % 2 == 0 ? "a" : "b"))
                .toList();
    }

    private static Appended at(long position) {
        return new Appended(Position.of(position), Position.of(position), false);
    }

    private static Conflict conflictAt(long position) {
        return new Conflict(BOTH, Position.of(position), "Happened");
    }

    private Future<AppendResult> send(Append request) {
        return callers.submit(() -> store.append(request));
    }

    private void awaitCheck() {
        await().until(() -> database.advisoryLocksWaitedFor() == 1);
    }

    private void letGo() throws SQLException {
        holder.rollback();
    }

    private double verdicts(String verdict) {
        return meters.get("registrar.store.verdicts")
                .tag("verdict", verdict)
                .counter()
                .count();
    }

    private long checks() {
        return meters.get("registrar.store.check").timer().count();
    }

    private double waitingForCheck() {
        return meters.get("registrar.store.budget.waiting")
                .tag("use", "check of conditions")
                .gauge()
                .value();
    }

    @Test
    void an_expensive_condition_keeps_no_other_append_waiting() throws Exception {
        Future<AppendResult> expensive = send(EXPENSIVE);
        awaitCheck();

        for (int i = 1; i <= 10; i++) {
            assertThat(store.append(Append.of(event("other")))).isEqualTo(at(EVENTS + i));
        }
        assertThat(expensive).isNotDone();
        letGo();

        assertThat(expensive.get()).isEqualTo(at(EVENTS + 11));
        assertThat(verdicts("suspected")).isEqualTo(1);
        assertThat(checks()).isEqualTo(1);
    }

    @Test
    void events_appended_during_the_check_are_judged_under_the_lock() throws Exception {
        Future<AppendResult> expensive = send(EXPENSIVE);
        awaitCheck();
        store.append(List.of(event("a", "b")));
        letGo();

        assertThat(expensive.get()).isEqualTo(conflictAt(EVENTS + 1));
        assertThat(checks()).isEqualTo(1);
    }

    @Test
    void a_key_used_during_the_check_takes_precedence_over_a_match() throws Exception {
        store.append(List.of(event("a", "b")));
        Append keyed = EXPENSIVE.under(new IdempotencyKey("key", "same"));
        Future<AppendResult> expensive = send(keyed);
        awaitCheck();
        assertThat(store.append(Append.of(event("twin")).under(new IdempotencyKey("key", "same"))))
                .isEqualTo(at(EVENTS + 2));
        letGo();

        assertThat(expensive.get()).isEqualTo(new Appended(Position.of(EVENTS + 2), Position.of(EVENTS + 2), true));
        assertThat(store.append(EXPENSIVE)).isEqualTo(conflictAt(EVENTS + 1));
    }

    @Test
    void too_many_events_during_the_check_lead_to_another_check() throws Exception {
        Future<AppendResult> expensive = send(EXPENSIVE);
        awaitCheck();
        store.append(alternating(EVENTS));
        letGo();

        assertThat(expensive.get()).isEqualTo(at(2 * EVENTS + 1));
        assertThat(checks()).isEqualTo(2);
    }

    @Test
    void the_checks_of_one_request_are_bounded() throws Exception {
        begin(Map.of("check.max-checks", 1));
        Future<AppendResult> expensive = send(EXPENSIVE);
        awaitCheck();
        store.append(alternating(EVENTS));
        letGo();

        assertThatThrownBy(expensive::get)
                .cause()
                .isInstanceOf(StoreTimeoutException.class)
                .hasMessageContaining("after 1 condition checks");
        assertThat(store.head().position()).isEqualTo(Position.of(2 * EVENTS));
    }

    @Test
    void a_check_that_times_out_fails_only_its_own_request() {
        begin(Map.of("check.timeout", "200ms"));

        assertThatThrownBy(() -> store.append(EXPENSIVE))
                .isInstanceOf(StoreTimeoutException.class)
                .hasMessageContaining("conditions");
        assertThat(store.append(Append.of(event("other")))).isEqualTo(at(EVENTS + 1));
        assertThat(store.breaker().getState()).isEqualTo(CircuitBreaker.State.CLOSED);
        assertThat(store.breaker().getMetrics().getNumberOfFailedCalls()).isZero();
    }

    @Test
    void running_and_waiting_checks_are_bounded() throws Exception {
        begin(Map.of("check.at-once", 1, "check.max-waiting", 1));
        Future<AppendResult> first = send(EXPENSIVE);
        awaitCheck();
        Future<AppendResult> second = send(EXPENSIVE);
        await().until(() -> waitingForCheck() == 1);

        assertThatThrownBy(() -> store.append(EXPENSIVE)).isInstanceOf(OverloadedException.class);
        letGo();
        assertThat(List.of(first.get(), second.get())).containsExactlyInAnyOrder(at(EVENTS + 1), at(EVENTS + 2));
    }

    @Test
    void a_request_that_waits_too_long_for_a_check_is_not_appended() throws Exception {
        begin(Map.of("check.at-once", 1, "check.max-wait", "50ms"));
        Future<AppendResult> first = send(EXPENSIVE);
        awaitCheck();

        assertThatThrownBy(() -> store.append(EXPENSIVE)).isInstanceOf(StoreTimeoutException.class);
        letGo();
        assertThat(first.get()).isEqualTo(at(EVENTS + 1));
    }

    @Test
    void an_append_with_resource_locks_is_checked_without_holding_them() throws Exception {
        ResourceLocks locks = ResourceLocks.of(List.of("room"), Duration.ofSeconds(5));
        Future<AppendResult> expensive = send(EXPENSIVE.holding(locks));
        awaitCheck();

        assertThat(store.append(Append.of(event("other")).holding(locks))).isEqualTo(at(EVENTS + 1));
        letGo();

        assertThat(expensive.get()).isEqualTo(at(EVENTS + 2));
    }

    /* Another caller takes the resource during the check, and holds it until the append waits for it again. */
    @Test
    void the_time_of_a_check_does_not_shorten_the_wait_for_resources() throws Exception {
        Duration lockTimeout = Duration.ofSeconds(1);
        Future<AppendResult> expensive = send(EXPENSIVE.holding(ResourceLocks.of(List.of("room"), lockTimeout)));
        awaitCheck();
        long end = System.nanoTime() + lockTimeout.toNanos();
        try (Connection other = database.connect()) {
            other.setAutoCommit(false);
            StoreDatabase.lockResources(other, "room");
            await().until(() -> System.nanoTime() - end > 0);
            letGo();
            await().until(() -> expensive.isDone() || database.advisoryLocksWaitedFor() == 1);
            other.rollback();
        }

        assertThat(expensive.get()).isEqualTo(at(EVENTS + 1));
    }

    @Test
    void conditions_that_the_limited_search_decides_need_no_check() {
        for (int i = 0; i < 20; i++) {
            assertThat(store.append(Append.of(event("seat:" + i), event("a", "seat:" + i))
                            .onCondition(AppendCondition.failIfEventsMatch(Query.of(
                                    QueryItem.tags("seat:" + i),
                                    QueryItem.tags("a", "seat:" + i),
                                    QueryItem.types("Other").tagged("b", "seat:" + i))))))
                    .isInstanceOf(Appended.class);
        }
        assertThat(checks()).isZero();
    }

    private List<AppendAnswer> judge(Append request, CheckedConditions checked) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return new AppendFunction("registrar", Duration.ofDays(7), InstantSource.system(), StoreDatabase.WARNINGS)
                    .append(connection, List.of(AppendEntry.of(request, List.of(checked))));
        }
    }

    private static CheckedConditions none(Head upTo) {
        return new CheckedConditions(upTo, List.of(Position.START));
    }

    @Test
    void a_check_counts_only_for_the_history_that_it_read() throws SQLException {
        Head head = store.head();
        Head cleared = new Head(head.position(), UUID.randomUUID(), head.lastEventId());
        Head setBack = new Head(head.position(), head.incarnation(), UUID.randomUUID());
        for (Head lost : List.of(cleared, setBack)) {
            assertThat(judge(EXPENSIVE, none(lost))).containsExactly(new AppendAnswer.Suspected());
            assertThat(judge(EXPENSIVE, new CheckedConditions(lost, List.of(Position.of(3)))))
                    .containsExactly(new AppendAnswer.Suspected());
        }

        assertThat(judge(EXPENSIVE, new CheckedConditions(head, List.of(Position.of(3)))))
                .containsExactly(new AppendAnswer.Judged(conflictAt(3)));
        assertThat(judge(EXPENSIVE, none(head))).containsExactly(new AppendAnswer.Judged(at(EVENTS + 1)));
    }

    @Test
    void a_lost_basis_is_reported_before_a_match_of_the_check() throws SQLException {
        Head head = store.head();
        Head lost = new Head(head.position(), head.incarnation(), UUID.randomUUID());
        Append request = Append.of(event("new"))
                .onCondition(AppendCondition.failIfEventsMatch(Query.of(BOTH)).after(lost));

        assertThat(judge(request, new CheckedConditions(head, List.of(Position.of(3)))))
                .containsExactly(new AppendAnswer.Judged(new StoreReplaced()));
    }
}
