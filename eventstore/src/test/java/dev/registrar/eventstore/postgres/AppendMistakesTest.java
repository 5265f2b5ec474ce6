package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.postgres.append.AppendAnswer;
import dev.registrar.eventstore.postgres.append.AppendFunction;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Errors at any point of an append: each caller gets an answer that states what is known of its events, and the next
 * append succeeds. The test holds the store's lock so that requests gather, as in {@link GroupAppenderTest}.
 */
@Timeout(120)
class AppendMistakesTest {
    private static final StoreOptions SETTINGS = StoreDatabase.defaultSettings();

    private static StoreDatabase database;

    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> answers = new ArrayList<>();
    private final FailingMeters meters = new FailingMeters();
    private HikariDataSource pool;
    private GroupAppender groups;
    private PostgresEventStore store;
    private Connection holder;

    @BeforeAll
    static void open() {
        database = new StoreDatabase();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void holdTheLock() throws SQLException {
        database.clear();
        pool = database.pool(SETTINGS);
        FailingConnections connections = new FailingConnections(pool);
        store = new PostgresEventStore(
                connections, SETTINGS, StoreDatabase.context(InstantSource.system(), new CompositeMeterRegistry()));
        StoreMeters counted = new StoreMeters(meters);
        groups = new GroupAppender(
                StoreDatabase.on(connections, SETTINGS, meters),
                new AppendFunction(
                        SETTINGS.schema(),
                        SETTINGS.idempotencyRetention(),
                        InstantSource.system(),
                        StoreDatabase.WARNINGS),
                SETTINGS.group(),
                SETTINGS.statementTimeout(),
                counted);
        counted.queue(groups::waiting);
        holder = database.connect();
        holder.setAutoCommit(false);
        StoreDatabase.lockStore(holder);
    }

    @AfterEach
    void release() throws SQLException {
        holder.close();
        callers.shutdownNow();
        pool.close();
    }

    private static Append event(String tag) {
        return Append.of(Event.of("Happened", "{}", tag));
    }

    private void send(List<Append> chain) {
        int waiting = answers.size();
        answers.add(callers.submit(() -> groups.append(chain, List.of(), 100)));
        await().until(() -> waiting == 0 ? database.advisoryLocksWaitedFor() == 1 : queued() == waiting);
    }

    private double queued() {
        return meters.get("registrar.store.queue.size").gauge().value();
    }

    private @Nullable Object answer(int number) throws Exception {
        try {
            return answers.get(number).get(30, TimeUnit.SECONDS);
        } catch (ExecutionException failure) {
            return failure.getCause();
        }
    }

    private static List<AppendAnswer> at(long position) {
        return List.of(new AppendAnswer.Judged(new Appended(Position.of(position), Position.of(position), false)));
    }

    private void assertNextGoesThrough(long position) {
        assertThat(groups.append(List.of(event("next")), List.of(), 100)).isEqualTo(at(position));
        assertThat(queued()).isZero();
    }

    /* The second and the third request are in a group already when the fourth's request fails to join. */
    @Test
    void an_error_while_a_group_gathers_leaves_no_caller_waiting() throws Exception {
        PoisonedChain poisoned = new PoisonedChain(event("poison"));
        send(List.of(event("a")));
        send(List.of(event("b")));
        send(List.of(event("c")));
        send(poisoned);
        send(List.of(event("d")));
        poisoned.armed = true;
        holder.rollback();

        assertThat(answer(0)).isEqualTo(at(1));
        for (int i = 1; i <= 3; i++) {
            assertThat(answer(i)).isInstanceOf(IllegalStateException.class);
            assertThat((Throwable) answer(i)).hasCauseInstanceOf(StackOverflowError.class);
        }
        assertThat(answer(4)).isEqualTo(at(2));
        assertNextGoesThrough(3);
    }

    @Test
    void an_error_before_a_group_is_sent_says_that_nothing_is_stored() throws Exception {
        send(List.of(event("a")));
        send(List.of(event("b")));
        send(List.of(event("c")));
        meters.failing = "registrar.store.group.size";
        holder.rollback();

        assertThat(answer(0)).isEqualTo(at(1));
        assertThat(answer(1)).isInstanceOf(IllegalStateException.class);
        assertThat(answer(2)).isInstanceOf(IllegalStateException.class);
        meters.failing = "";
        assertNextGoesThrough(2);
    }

    @Test
    void an_error_after_the_answer_does_not_change_it() throws Exception {
        send(List.of(event("a")));
        send(List.of(event("b")));
        send(List.of(event("c")));
        meters.failing = "registrar.store.group.database";
        holder.rollback();

        assertThat(answer(0)).isEqualTo(at(1));
        assertThat(answer(1)).isEqualTo(at(2));
        assertThat(answer(2)).isEqualTo(at(3));
        meters.failing = "";
        assertNextGoesThrough(4);
    }

    @Test
    void an_error_after_the_commit_leaves_the_outcome_unknown_to_each() throws Exception {
        FailingConnections.failing = true;
        try {
            send(List.of(event("a")));
            send(List.of(event("b")));
            send(List.of(event("c")));
            holder.rollback();

            for (int i = 0; i < 3; i++) {
                assertThat(answer(i)).isInstanceOf(OutcomeUnknownException.class);
                assertThat((Throwable) answer(i)).hasCauseInstanceOf(StackOverflowError.class);
            }
        } finally {
            FailingConnections.failing = false;
        }
        assertNextGoesThrough(4);
    }

    /* The first call finds the resource held; the second one waits for it, commits and then fails. */
    @Test
    void an_error_after_the_commit_of_an_append_that_waited_leaves_the_outcome_unknown() throws Exception {
        holder.rollback();
        Append append = event("a").holding(ResourceLocks.of(List.of("room"), Duration.ofSeconds(5)));
        StoreDatabase.lockResources(holder, "room");
        Future<?> waiting = callers.submit(() -> store.append(append));
        await().until(() -> database.advisoryLocksWaitedFor() == 1);
        FailingConnections.failing = true;
        try {
            holder.rollback();
            assertThatThrownBy(waiting::get).hasCauseInstanceOf(OutcomeUnknownException.class);
        } finally {
            FailingConnections.failing = false;
        }
        assertNextGoesThrough(2);
    }

    @Test
    void a_failing_listener_changes_neither_the_answer_nor_other_listeners() throws SQLException {
        holder.rollback();
        List<Event> received = new ArrayList<>();
        store.listen(events -> {
            throw new IllegalStateException("listener");
        });
        store.listen(received::addAll);

        assertThat(store.append(event("a"))).isEqualTo(new Appended(Position.of(1), Position.of(1), false));
        assertThat(received).hasSize(1);
    }

    /** A chain of one request that throws when it is inspected, once it is armed. */
    private static final class PoisonedChain extends AbstractList<Append> {
        private final Append request;
        private volatile boolean armed;

        private PoisonedChain(Append request) {
            this.request = request;
        }

        @Override
        public Append get(int index) {
            if (armed) {
                throw new StackOverflowError("poison");
            }
            return request;
        }

        @Override
        public int size() {
            return 1;
        }
    }

    /** Meters of which one fails. */
    private static final class FailingMeters extends SimpleMeterRegistry {
        private volatile String failing = "";

        private void failIf(String name) {
            if (name.equals(failing)) {
                throw new OutOfMemoryError("meter");
            }
        }

        @Override
        protected DistributionSummary newDistributionSummary(
                Meter.Id id, DistributionStatisticConfig config, double scale) {
            DistributionSummary summary = super.newDistributionSummary(id, config, scale);
            return proxy(DistributionSummary.class, summary, "record", () -> failIf(id.getName()), false);
        }

        @Override
        protected Timer newTimer(Meter.Id id, DistributionStatisticConfig config, PauseDetector pauses) {
            Timer timer = super.newTimer(id, config, pauses);
            return proxy(Timer.class, timer, "record", () -> failIf(id.getName()), false);
        }
    }

    /** Connections on which a query does its work and then fails, while they are told to. */
    private static final class FailingConnections extends DelegatingDataSource {
        private static volatile boolean failing;

        private FailingConnections(HikariDataSource pool) {
            super(pool);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    AppendMistakesTest.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (self, method, arguments) -> failing(invoke(connection, method, arguments)));
        }

        private static Object failing(Object result) {
            return result instanceof PreparedStatement statement
                    ? proxy(PreparedStatement.class, statement, "executeQuery", FailingConnections::failIfTold, true)
                    : result;
        }

        private static void failIfTold() {
            if (failing) {
                throw new StackOverflowError("driver");
            }
        }
    }

    private static <T> T proxy(Class<T> type, T real, String name, Runnable failure, boolean afterwards) {
        return type.cast(Proxy.newProxyInstance(
                AppendMistakesTest.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    boolean concerned = method.getName().equals(name);
                    if (concerned && !afterwards) {
                        failure.run();
                    }
                    Object result = invoke(real, method, arguments);
                    if (concerned && afterwards) {
                        failure.run();
                    }
                    return result;
                }));
    }

    private static Object invoke(Object real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }
}
