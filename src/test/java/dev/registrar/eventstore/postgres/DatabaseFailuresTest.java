package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.DatabaseProxy;
import dev.registrar.autoconfigure.CircuitHealth;
import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.metrics.Metrics;
import dev.registrar.eventstore.metrics.MicrometerMetrics;
import dev.registrar.eventstore.postgres.connection.CircuitBreaker.State;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Failures;
import dev.registrar.eventstore.postgres.connection.LostConnections;
import dev.registrar.eventstore.postgres.connection.PoolAccess;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.connection.StoreConnections;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.health.contributor.Status;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What the store does when its database is slow, lost, frozen or refuses: by way of a proxy, with a real server. */
class DatabaseFailuresTest {
    /** For many losses in a row: each is followed by as many new connections as the pool has. */
    private static final Map<String, ?> PATIENT = Map.of("breaker.enabled", false, "connection-timeout", "30s");

    private static final int LOST_ANSWERS = 100;

    private static StoreDatabase database;

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private DatabaseProxy proxy;
    private HikariDataSource pool;
    private PostgresEventStore store;

    @BeforeAll
    static void open() {
        database = new StoreDatabase();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void connect() {
        database.clear();
        proxy = DatabaseProxy.to(database.database().url());
        begin(Map.of());
    }

    @AfterEach
    void disconnect() {
        callers.close();
        pool.close();
        proxy.close();
    }

    private void begin(Map<String, ?> some) {
        if (pool != null) {
            pool.close();
        }
        Map<String, Object> settings = new HashMap<>(Map.of(
                "read-connections",
                2,
                "resource-lock-connections",
                1,
                "connection-timeout",
                "10s",
                "retry.delay",
                "5ms"));
        settings.putAll(some);
        StoreOptions bound = StoreDatabase.settings(settings);
        pool = StoreConnections.open(
                new StoreAddress(
                        proxy.url(),
                        database.database().username(),
                        database.database().password()),
                bound.connection());
        store = new PostgresEventStore(
                pool, bound, StoreDatabase.context(InstantSource.system(), new MicrometerMetrics(meters)));
        // A test whose callers are in a hurry begins with connections that are there.
        await().until(() -> pool.getHikariPoolMXBean().getIdleConnections() == pool.getMaximumPoolSize());
        assertThat(store.exists(Query.all())).isFalse();
    }

    private static Append append(String payload) {
        return Append.of(Event.of("Happened", payload, "seat:1"));
    }

    private double failures(FailureCategory category) {
        return meters.get("registrar.store.failures")
                .tag("category", category.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .counter()
                .count();
    }

    /** Something that goes wrong in the database. */
    interface Mishap {
        void on(Connection connection) throws SQLException;
    }

    private static Mishap sql(String... statements) {
        return connection -> {
            try (Statement statement = connection.createStatement()) {
                for (String sql : statements) {
                    statement.execute(sql);
                }
            }
        };
    }

    private static Stream<Arguments> mishaps() {
        return Stream.of(
                Arguments.of(
                        FailureCategory.CONNECTION,
                        sql("set default_transaction_read_only = on", "delete from registrar.idempotency_keys")),
                Arguments.of(FailureCategory.TRANSIENT, sql("select pg_terminate_backend(pg_backend_pid())")),
                Arguments.of(FailureCategory.TIMEOUT, sql("set statement_timeout = '10ms'", "select pg_sleep(10)")),
                Arguments.of(FailureCategory.LOCK_TIMEOUT, (Mishap) DatabaseFailuresTest::waitInVain),
                Arguments.of(FailureCategory.SERIALIZATION, (Mishap) DatabaseFailuresTest::readWhatAnotherWrites),
                Arguments.of(FailureCategory.DEADLOCK, (Mishap) DatabaseFailuresTest::deadlock),
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
        Database asked = StoreDatabase.on(pool, StoreDatabase.defaultSettings(), new MicrometerMetrics(meters));

        assertThatThrownBy(() -> asked.call(Duration.ofSeconds(10), false, connection -> {
                    mishap.on(connection);
                    return category;
                }))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        failure -> assertThat(Failures.category(failure)).isEqualTo(category));
        assertThat(failures(category)).isEqualTo(1);
        assertThat(asked.breaker().failedCalls()).isEqualTo(category.isOutage() ? 1 : 0);
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
                    // The test is over, and its connection closed.
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
    void a_server_that_takes_no_more_connections_is_out_of_resources() {
        database.execute("alter database %s with connection limit 0"
                .formatted(database.database().name()));
        database.execute("create role crowd login password 'crowd'");
        try {
            StoreOptions bound = StoreDatabase.settings(Map.of("connection-timeout", "2s"));
            try (var crowded =
                    StoreConnections.open(new StoreAddress(proxy.url(), "crowd", "crowd"), bound.connection())) {
                assertThatThrownBy(new PostgresEventStore(
                                crowded, bound, StoreDatabase.context(InstantSource.system(), Metrics.none()))::head)
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

    @Test
    void a_read_whose_connection_is_cut_is_answered_all_the_same() {
        begin(PATIENT);
        assertThat(store.append(append("{}"))).isInstanceOf(Appended.class);
        for (int i = 0; i < 20; i++) {
            proxy.cut();
            assertThat(store.count(Query.all())).isEqualTo(1);
        }
        assertThat(failures(FailureCategory.CONNECTION)).isPositive();
    }

    @Test
    void nothing_is_tried_again_inside_a_callers_transaction() {
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
        begin(PATIENT);
        for (int i = 0; i < LOST_ANSWERS; i++) {
            String payload = "\"cut-reply-%d;\"".formatted(i);
            assertThatThrownBy(() -> store.append(append(payload))).isInstanceOf(OutcomeUnknownException.class);
        }

        assertThat(payloads())
                .containsExactlyElementsOf(IntStream.range(0, LOST_ANSWERS)
                        .mapToObj("\"cut-reply-%d;\""::formatted)
                        .toList());
    }

    @Test
    void an_append_with_a_key_whose_answer_is_lost_is_stored_once_and_answered() {
        begin(PATIENT);
        for (int i = 0; i < LOST_ANSWERS; i++) {
            Append keyed = append("\"cut-reply-%d;\"".formatted(i)).under(new IdempotencyKey("key-" + i, "same"));
            assertThat(store.append(keyed))
                    .isInstanceOfSatisfying(
                            Appended.class,
                            appended -> assertThat(appended.repeated()).isTrue());
        }

        assertThat(payloads()).hasSize(LOST_ANSWERS).doesNotHaveDuplicates();
        assertThat(meters.get("registrar.store.retries").counter().count()).isGreaterThanOrEqualTo(LOST_ANSWERS);
    }

    @Test
    void what_may_be_stored_is_never_called_unchanged_since_the_database_went_away_after_it() {
        begin(Map.of("connection-timeout", "250ms"));
        Append keyed = append("\"cut-reply-0;\"").under(new IdempotencyKey("key", "same"));
        proxy.refuseAfterLostReply();

        assertThatThrownBy(() -> store.append(keyed)).isInstanceOf(OutcomeUnknownException.class);

        proxy.accept();
        await().ignoreExceptions().untilAsserted(() -> assertThat(payloads()).hasSize(1));
    }

    private List<String> payloads() {
        return store.read(Query.all()).toList().stream()
                .map(event -> event.event().payload())
                .toList();
    }

    @Test
    void the_circuit_opens_lets_nobody_through_tries_and_closes() {
        begin(Map.of(
                "breaker.minimum-calls",
                4,
                "breaker.open-for",
                "2s",
                "breaker.trial-calls",
                2,
                "connection-timeout",
                "250ms"));
        proxy.refuse();
        while (store.breaker().calls() < 4) {
            assertThat(store.breaker().state()).isEqualTo(State.CLOSED);
            assertUnavailable();
        }
        assertThat(store.breaker().state()).isEqualTo(State.OPEN);

        assertThatThrownBy(() -> store.append(append("{}")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("Circuit breaker open");
        assertThat(meters.get("resilience4j.circuitbreaker.not.permitted.calls")
                        .counter()
                        .count())
                .isEqualTo(1);

        await().untilAsserted(() -> {
            assertUnavailable();
            assertThat(store.breaker().state()).isEqualTo(State.HALF_OPEN);
        });
        assertUnavailable();
        assertThat(store.breaker().state()).isEqualTo(State.OPEN);

        proxy.accept();
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(store.append(append("{}"))).isInstanceOf(Appended.class));
        await().ignoreExceptions().untilAsserted(() -> {
            assertThat(store.exists(Query.all())).isTrue();
            assertThat(store.breaker().state()).isEqualTo(State.CLOSED);
        });
    }

    private void assertUnavailable() {
        assertThatThrownBy(store::head).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void a_server_that_takes_no_writes_any_more_counts_as_lost_until_it_takes_them_again() throws SQLException {
        begin(Map.of(
                "breaker.minimum-calls",
                4,
                "breaker.open-for",
                "200ms",
                "breaker.trial-calls",
                2,
                "connection-timeout",
                "250ms"));
        CircuitHealth health = new CircuitHealth(store);
        assertThat(store.append(append("1"))).isInstanceOf(Appended.class);
        turnReadOnly();
        try {
            assertThatThrownBy(() -> store.append(append("2")))
                    .isInstanceOfSatisfying(
                            StoreUnavailableException.class,
                            failure -> assertThat(failure.category()).contains(FailureCategory.CONNECTION));
            // Reads do not keep it in use, although such a server would answer them.
            await().untilAsserted(() -> {
                assertThatThrownBy(() -> store.append(append("2"))).isInstanceOf(StoreUnavailableException.class);
                assertUnavailable();
                assertThat(store.breaker().state()).isEqualTo(State.OPEN);
            });
            assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        } finally {
            database.database().setReadOnly(false);
        }

        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(store.append(append("3"))).isInstanceOf(Appended.class));
        await().untilAsserted(() -> assertThat(health.health().getStatus()).isEqualTo(Status.UP));
        assertThat(payloads()).containsExactly("1", "3");
    }

    /* New sessions as well as those that there are: as when the server's configuration is changed. */
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
    void a_pool_drops_a_connection_whose_server_takes_no_writes() throws SQLException {
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
    void what_is_not_the_databases_fault_never_opens_the_circuit() throws SQLException {
        begin(Map.of("breaker.minimum-calls", 1, "breaker.failure-rate", 1, "lock-timeout", "10ms"));
        Append guarded =
                append("{}").onCondition(AppendCondition.failIfEventsMatch(Query.of(QueryItem.tags("seat:1"))));
        assertThat(store.append(guarded)).isInstanceOf(Appended.class);
        for (int i = 0; i < 50; i++) {
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

        assertThat(store.breaker().state()).isEqualTo(State.CLOSED);
        assertThat(store.breaker().failedCalls()).isZero();
        assertThat(failures(FailureCategory.LOCK_TIMEOUT)).isEqualTo(1);
        assertThat(failures(FailureCategory.CONSTRAINT)).isEqualTo(1);
    }

    @Test
    void callers_in_a_hurry_do_not_open_the_circuit_for_others() throws SQLException {
        begin(Map.of("breaker.failure-rate", 1));
        ResourceLocks room = ResourceLocks.of(List.of("room"), Duration.ofSeconds(8));
        try (Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            sql("lock table registrar.events in access exclusive mode").on(holder);
            StoreDatabase.lockResources(holder, "room");
            for (int i = 0; i < 20; i++) {
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
        assertThat(store.breaker().failedCalls()).isZero();
        assertThat(store.append(append("{}").holding(room))).isInstanceOf(Appended.class);
    }

    /* A group is not limited to its leader's deadline: that it took too long is the database's fault. */
    @Test
    void a_group_that_takes_too_long_counts_whatever_its_leaders_hurry() throws SQLException {
        begin(Map.of("statement-timeout", "400ms"));
        try (Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            sql("lock table registrar.events in access exclusive mode").on(holder);
            assertThatThrownBy(() -> Deadline.within(Duration.ofMillis(100), () -> store.append(append("{}"))))
                    .isInstanceOf(StoreTimeoutException.class);
            holder.rollback();
        }

        assertThat(store.breaker().failedCalls()).isOne();
    }

    @Test
    void a_call_that_did_not_ask_the_database_says_nothing_of_it() {
        halfOpen();
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> Deadline.within(Duration.ZERO, store::head))
                    .isInstanceOf(StoreTimeoutException.class);
        }
        assertThat(store.breaker().state()).isEqualTo(State.HALF_OPEN);

        for (int i = 0; i < 3; i++) {
            assertThat(store.exists(Query.all())).isFalse();
        }
        assertThat(store.breaker().state()).isEqualTo(State.CLOSED);
    }

    @Test
    void whom_the_circuit_does_not_let_through_is_told_so_at_once() {
        halfOpen();
        while (store.breaker().tryAcquire()) {
            // All of the trial calls are on their way.
        }

        assertUnavailable();
        assertThat(meters.get("registrar.store.retries").counter().count()).isZero();
    }

    @Test
    void asking_after_its_health_is_enough_for_the_circuit_to_close() {
        begin(Map.of("breaker.open-for", "2s"));
        PoolAccess.resilience4j(store.breaker()).transitionToOpenState();
        CircuitHealth health = new CircuitHealth(store);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);

        await().untilAsserted(() -> assertThat(health.health().getStatus()).isEqualTo(Status.UP));
    }

    private void halfOpen() {
        PoolAccess.resilience4j(store.breaker()).transitionToOpenState();
        PoolAccess.resilience4j(store.breaker()).transitionToHalfOpenState();
    }

    @Test
    void the_store_is_back_after_an_absence_of_its_database() {
        begin(Map.of("breaker.enabled", false, "connection-timeout", "250ms"));
        proxy.refuse();
        for (int i = 0; i < 4; i++) {
            assertUnavailable();
        }

        proxy.accept();
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(store.append(append("{}"))).isInstanceOf(Appended.class));
    }

    @Test
    void a_hundred_callers_and_five_slow_connections_shed_instead_of_dying() throws Exception {
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

    /* False if it was shed; any other failure is one. */
    private boolean isAnswered() {
        try {
            return !store.exists(Query.all());
        } catch (OverloadedException | StoreTimeoutException shed) {
            return false;
        }
    }

    @Test
    void a_frozen_network_is_given_up_after_the_statements_time_and_forgotten_once_it_thaws() throws SQLException {
        begin(Map.of("statement-timeout", "2s", "connection-timeout", "1s", "breaker.enabled", false));
        Future<?> append;
        try (Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            StoreDatabase.lockStore(holder);
            append = callers.submit(() -> store.append(append("{}")));
            await().until(() -> database.advisoryLocksWaitedFor() == 1);
            proxy.freeze();
            holder.rollback();
        }
        Future<?> read = callers.submit(() -> store.count(Query.all()));
        assertThatThrownBy(append::get).hasCauseInstanceOf(OutcomeUnknownException.class);
        assertThatThrownBy(read::get).hasCauseInstanceOf(EventStoreException.class);

        proxy.thaw();
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(store.append(append("{}"))).isInstanceOf(Appended.class));
    }

    @Test
    void a_deadline_reaches_the_database_and_those_who_wait() throws SQLException {
        try (Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            StoreDatabase.lockStore(holder);
            Future<?> leader = callers.submit(() -> store.append(append("{}")));
            await().until(() -> database.advisoryLocksWaitedFor() == 1);

            assertThatThrownBy(() -> Deadline.within(Duration.ofMillis(100), () -> store.append(append("{}"))))
                    .isInstanceOf(StoreTimeoutException.class)
                    .hasMessageContaining("was not sent");
            sql("lock table registrar.events in access exclusive mode").on(holder);
            Deadline.runWithin(Duration.ofSeconds(1), () -> {
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
