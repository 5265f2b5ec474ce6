package dev.registrar.projection;

import static dev.registrar.projection.Instances.QUICK;
import static dev.registrar.projection.Instances.awaitPosition;
import static dev.registrar.projection.Instances.positions;
import static dev.registrar.projection.Instances.quick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.ProjectionOptions.OnFailure;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Events that a follower cannot read or handle. */
@ExtendWith(OutputCaptureExtension.class)
class FailingFollowersTest extends ProjectionFixture {
    @Test
    void a_manual_batch_throws_the_failure_of_an_event() {
        Tally poisoned = new Tally("poisoned", 1, event -> {
            throw new IllegalArgumentException("no");
        });
        ProjectionRunner runner = instances.notStarted(poisoned);
        instances.count(1);

        assertThatThrownBy(() -> runner.processNext("poisoned"))
                .isInstanceOf(UnhandledEventException.class)
                .hasMessageContaining("the event at 1");
        assertThat(runner.administration().status("poisoned").state()).isEqualTo("running");
    }

    @Test
    void an_event_that_cannot_be_handled_stops_its_view_and_no_other() throws InterruptedException {
        AtomicBoolean repaired = new AtomicBoolean();
        Tally poisoned = new Tally("poisoned", 1, event -> {
            if (event.position().value() == 5 && !repaired.get()) {
                throw new IllegalArgumentException("five");
            }
        });
        Tally healthy = new Tally("healthy");
        ProjectionRunner runner = instances.start(QUICK, poisoned, healthy);
        Position last = instances.countAtOnce(10);

        await().until(() -> runner.administration().status("poisoned").state().equals("stopped"));
        awaitPosition(runner, "healthy", last);

        assertThat(positions(runner, poisoned)).containsExactly(1L, 2L, 3L, 4L);
        assertThat(runner.administration().status("poisoned").failure())
                .extracting(String::valueOf)
                .asString()
                .contains("five")
                .contains("position=5");
        assertThat(runner.administration().status("poisoned").lagEvents()).isEqualTo(6);
        assertThat(runner.administration().status("poisoned").isStopped()).isTrue();
        assertThat(runner.administration().status("healthy").isStopped()).isFalse();

        repaired.set(true);
        runner.administration().resume("poisoned");

        awaitPosition(runner, "poisoned", last);
        assertThat(positions(runner, poisoned)).isEqualTo(instances.counted());
        assertThat(runner.administration().status("poisoned").failure()).isNull();
        assertThat(runner.administration().status("poisoned").isStopped()).isFalse();
    }

    static Stream<Arguments> failuresThatAreNoOutage() {
        return Stream.of(
                Arguments.argumentSet(
                        "a missing class",
                        new NoClassDefFoundError("gone/Missing"),
                        "NoClassDefFoundError: gone/Missing"),
                Arguments.argumentSet("an exception without a readable message", new Unprintable(), "Unprintable"),
                Arguments.argumentSet("a checked exception", new IOException("sneaked"), "IOException: sneaked"),
                Arguments.argumentSet("a missing privilege", new SQLException("denied", "42501"), "denied"),
                Arguments.argumentSet(
                        "an index row that is too large",
                        new DataAccessResourceFailureException("too large", new SQLException("no", "54000")),
                        "too large"));
    }

    private static final class Unprintable extends RuntimeException {
        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    @ParameterizedTest
    @MethodSource("failuresThatAreNoOutage")
    void each_failure_that_is_no_outage_stops_the_view_with_its_event_and_trace(
            Throwable failure, String described, CapturedOutput output) {
        Tally poisoned = new Tally("poisoned", 1, event -> {
            if (event.position().value() == 5) {
                FailingFollowersTest.<RuntimeException>sneak(failure);
            }
        });
        ProjectionRunner runner = instances.start(QUICK, poisoned);
        instances.countAtOnce(10);

        await().until(() -> runner.administration().status("poisoned").isStopped());

        assertThat(positions(runner, poisoned)).containsExactly(1L, 2L, 3L, 4L);
        assertThat(runner.administration().status("poisoned").failure()).satisfies(stopped -> {
            assertThat(stopped.position()).isEqualTo(Position.of(5));
            assertThat(stopped.message()).contains(described);
        });
        assertThat(output.toString()).contains("stopped at the event", described, "at dev.registrar.projection.");
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void sneak(Throwable failure) throws X {
        throw (X) failure;
    }

    /** A tally to which a test adds something. */
    private abstract static class Extended implements View {
        final Tally tally = new Tally("extended");

        @Override
        public String name() {
            return tally.name();
        }

        @Override
        public int version() {
            return tally.version();
        }

        @Override
        public Query query() {
            return tally.query();
        }

        @Override
        public void create(Tables tables) {
            tally.create(tables);
        }

        @Override
        public void apply(List<SequencedEvent> events, Tables tables) {
            tally.apply(events, tables);
        }
    }

    @Test
    void a_failure_that_concerns_no_event_stops_a_rebuild_until_it_is_resumed() throws InterruptedException {
        AtomicBoolean isRepaired = new AtomicBoolean();
        View view = new Extended() {
            @Override
            public void index(Tables tables) {
                if (tables.schema().endsWith("_next") && !isRepaired.get()) {
                    tables.sql("create index on ${schema}.tally (no_column)").update();
                }
            }
        };
        ProjectionRunner runner = instances.start(QUICK, view);
        awaitPosition(runner, "extended", instances.countAtOnce(10));

        runner.administration().rebuild("extended");
        await().until(() -> runner.administration()
                .status("extended")
                .rebuild()
                .filter(ProjectionStatus.Rebuild::isStopped)
                .isPresent());

        assertThat(runner.administration()
                        .status("extended")
                        .rebuild()
                        .orElseThrow()
                        .failure())
                .satisfies(failure -> {
                    assertThat(failure.message()).contains("no_column");
                    assertThat(failure.position()).isNull();
                });
        assertThat(runner.administration().status("extended").isStopped()).isFalse();

        isRepaired.set(true);
        runner.administration().resume("extended");
        await().until(() -> runner.administration().status("extended").rebuild().isEmpty());
    }

    /* The constraint is checked by the commit. */
    @Test
    void a_commit_that_the_database_refuses_stops_the_view() throws InterruptedException {
        View view = new Extended() {
            @Override
            public void create(Tables tables) {
                super.create(tables);
                tables.sql("""
                                alter table ${schema}.tally add constraint known
                                foreign key (made_by) references ${schema}.tally (position) deferrable initially deferred""").update();
            }

            @Override
            public void apply(List<SequencedEvent> events, Tables tables) {
                tables.sql("insert into ${schema}.tally values (?, -1)")
                        .param(events.getFirst().position().value())
                        .update();
            }
        };
        ProjectionRunner runner = instances.start(QUICK, view);
        instances.count(1);

        await().until(() -> runner.administration().status("extended").isStopped());

        assertThat(runner.administration().status("extended").failure())
                .extracting(ProjectionStatus.Failure::message)
                .asString()
                .contains("known");
    }

    /** A tally that takes too long for more than some events, and notes the sizes of its batches. */
    private static final class Large extends Extended {
        private final int most;
        private final Queue<Integer> sizes = new ConcurrentLinkedQueue<>();

        Large(int most) {
            this.most = most;
        }

        @Override
        public void apply(List<SequencedEvent> events, Tables tables) {
            sizes.add(events.size());
            super.apply(events, tables);
            if (events.size() > most) {
                tables.sql("set local statement_timeout = '20ms'").update();
                tables.sql("select pg_sleep(60)").query().singleRow();
            }
        }
    }

    @Test
    void a_batch_that_times_out_is_halved_and_batches_grow_again() throws InterruptedException {
        Position last = instances.countAtOnce(1_000);
        Large large = new Large(50);
        ProjectionRunner runner = instances.start(quick(options -> options.batch = 160), large);

        awaitPosition(runner, "extended", last);

        assertThat(runner.views().read(large, last, Tally::positions).found()).isEqualTo(instances.counted());
        List<Integer> sizes = List.copyOf(large.sizes);
        assertThat(sizes).startsWith(160, 80, 40, 40);
        assertThat(sizes.subList(4, sizes.size())).contains(80);
    }

    @Test
    void one_event_that_always_times_out_stops_its_view() {
        ProjectionRunner runner = instances.start(QUICK, new Large(0));
        instances.countAtOnce(4);

        await().until(() -> runner.administration().status("extended").isStopped());

        assertThat(runner.administration().status("extended").failure())
                .extracting(ProjectionStatus.Failure::position)
                .isEqualTo(Position.of(1));
    }

    /* As with `alter role … set …`: each session begins with these settings. */
    @Test
    void the_defaults_of_the_role_do_not_apply_to_a_batch() {
        DataSource connections =
                new DelegatingDataSource(instances.database.database().pool(5)) {
                    @Override
                    public Connection getConnection() throws SQLException {
                        Connection connection = super.getConnection();
                        try (Statement statement = connection.createStatement()) {
                            statement.execute(
                                    "set statement_timeout = '300ms'; set transaction_timeout = '300ms'; set default_transaction_isolation = 'serializable'");
                        }
                        return connection;
                    }
                };
        AtomicReference<String> isolation = new AtomicReference<>();
        View patient = new Extended() {
            @Override
            public void apply(List<SequencedEvent> events, Tables tables) {
                super.apply(events, tables);
                isolation.set(tables.sql("select current_setting('transaction_isolation') from pg_sleep(0.6)")
                        .query(String.class)
                        .single());
            }
        };
        Position last = instances.countAtOnce(3);
        try (ProjectionRunner runner = ProjectionRunner.open(connections, instances.store, List.of(patient))) {
            assertThat(runner.processNext("extended")).isEqualTo(new BatchResult.CaughtUp(last));
        }
        assertThat(isolation).hasValue("read committed");
    }

    @Test
    void an_event_is_retried_before_it_stops_a_view() throws InterruptedException {
        AtomicInteger tries = new AtomicInteger();
        Tally flaky = new Tally("flaky", 1, event -> {
            if (event.position().value() == 2 && tries.incrementAndGet() < 4) {
                throw new IllegalArgumentException("not yet");
            }
        });
        ProjectionRunner runner = instances.start(QUICK, flaky);

        awaitPosition(runner, "flaky", instances.countAtOnce(3));

        assertThat(tries).hasValue(4);
        assertThat(positions(runner, flaky)).isEqualTo(instances.counted());
    }

    @Test
    void an_event_that_cannot_be_handled_is_skipped_if_so_configured() throws InterruptedException {
        Tally poisoned = new Tally("poisoned", 1, event -> {
            if (event.position().value() == 5) {
                throw new IllegalArgumentException("five");
            }
        });
        ProjectionRunner runner = instances.start(
                ProjectionOptions.with(options -> {
                    options.attempts = 2;
                    options.retryAfter = Duration.ofMillis(1);
                    options.onFailure = OnFailure.SKIP;
                }),
                poisoned);

        awaitPosition(runner, "poisoned", instances.countAtOnce(7));

        assertThat(positions(runner, poisoned)).containsExactly(1L, 2L, 3L, 4L, 6L, 7L);
        assertThat(runner.administration().status("poisoned").skipped()).isEqualTo(1);
        assertThat(skips()).containsExactly("poisoned 5 java.lang.IllegalArgumentException: five");
    }

    private List<String> skips() {
        return JdbcClient.create(instances.database.database().dataSource())
                .sql("select name || ' ' || position || ' ' || error from registrar.projection_skips")
                .query((row, number) -> row.getString(1))
                .list();
    }

    /** A tally that cannot read the events at some positions. */
    private record Choosy(Tally tally, List<Long> unreadable) implements View {
        @Override
        public String name() {
            return tally.name();
        }

        @Override
        public int version() {
            return tally.version();
        }

        @Override
        public Query query() {
            return tally.query();
        }

        @Override
        public void create(Tables tables) {
            tally.create(tables);
        }

        @Override
        public Optional<String> unreadable(SequencedEvent event) {
            return unreadable.contains(event.position().value()) ? Optional.of("not \0 read") : Optional.empty();
        }

        @Override
        public void apply(List<SequencedEvent> events, Tables tables) {
            tally.apply(events, tables);
            events.forEach(event -> unreadable(event).ifPresent(reason -> {
                throw new IllegalArgumentException(reason);
            }));
        }
    }

    /* The view writes before it fails: the rows of the first attempt must be rolled back. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void unreadable_events_are_skipped_and_stop_no_follower(int batch) throws InterruptedException {
        Choosy view = new Choosy(new Tally("choosy"), List.of(1L, 4L, 5L, 10L));
        // No event is retried within this test.
        ProjectionRunner runner = instances.start(
                ProjectionOptions.with(options -> {
                    options.batch = batch;
                    options.retryAfter = Duration.ofMinutes(1);
                    options.skipUnreadableAfter = Duration.ZERO;
                }),
                view);

        awaitPosition(runner, "choosy", instances.countAtOnce(10));
        runner.administration().rebuild("choosy");
        await().until(() -> runner.administration().status("choosy").rebuild().isEmpty());

        ProjectionStatus status = runner.administration().status("choosy");
        assertThat(runner.views().read(view, Position.START, Tally::positions).found())
                .containsExactly(2L, 3L, 6L, 7L, 8L, 9L);
        assertThat(status.state()).isEqualTo("running");
        assertThat(status.events()).isEqualTo(6);
        assertThat(status.skipped()).isEqualTo(4);
        assertThat(status.skips())
                .extracting(skip -> skip.position().value(), Skip::by, Skip::reason)
                .containsExactly(
                        tuple(10L, Skip.By.UNREADABLE, "not \uFFFD read"),
                        tuple(5L, Skip.By.UNREADABLE, "not \uFFFD read"),
                        tuple(4L, Skip.By.UNREADABLE, "not \uFFFD read"),
                        tuple(1L, Skip.By.UNREADABLE, "not \uFFFD read"));
    }

    /*
     * The third event is one of a new release. The old instance handles the events before it, in one batch with it, and
     * leaves it to the new instance, which starts only then.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void an_event_that_an_old_instance_cannot_read_is_left_to_a_new_one(int batch) throws InterruptedException {
        ProjectionOptions patient = quick(options -> {
            options.batch = batch;
            options.skipUnreadableAfter = Duration.ofMinutes(10);
        });
        Choosy view = new Choosy(new Tally("choosy"), List.of());
        Position last = instances.countAtOnce(4);
        ProjectionRunner before = instances.start(patient, new Choosy(new Tally("choosy"), List.of(3L)));
        awaitPosition(before, "choosy", Position.of(2));

        ProjectionRunner after = instances.start(patient, view);

        awaitPosition(before, "choosy", last);
        assertThat(after.views().read(view, Position.START, Tally::positions).found())
                .containsExactly(1L, 2L, 3L, 4L);
        assertThat(after.administration().status("choosy").skipped()).isZero();
    }

    @Test
    void an_event_that_no_instance_can_read_is_skipped_when_it_is_old_enough() throws InterruptedException {
        Duration age = Duration.ofMillis(300);
        Choosy view = new Choosy(new Tally("choosy"), List.of(2L));
        ProjectionRunner runner = instances.start(quick(options -> options.skipUnreadableAfter = age), view);

        awaitPosition(runner, "choosy", instances.countAtOnce(3));

        Instant recorded = instances.store.last(Query.all()).orElseThrow().recordedAt();
        assertThat(runner.administration().status("choosy").skips())
                .singleElement()
                .satisfies(skip -> assertThat(skip.at()).isAfterOrEqualTo(recorded.plus(age)));
    }

    @Test
    void an_automation_leaves_an_event_that_it_cannot_read_to_a_new_instance() throws InterruptedException {
        ProjectionOptions patient = quick(options -> options.skipUnreadableAfter = Duration.ofMinutes(10));
        Queue<Long> reactions = new ConcurrentLinkedQueue<>();
        ProjectionRunner before = instances.start(patient, new Picky(reactions, List.of(2L)));
        Position last = instances.countAtOnce(3);
        awaitPosition(before, "picky", Position.of(1));

        instances.start(patient, new Picky(reactions, List.of()));

        awaitPosition(before, "picky", last);
        assertThat(reactions).containsExactly(1L, 2L, 3L);
    }

    /** Notes the events that it reacts to; it cannot read those at some positions. */
    private record Picky(Queue<Long> reactions, List<Long> unreadable) implements Automation {
        @Override
        public String name() {
            return "picky";
        }

        @Override
        public Query query() {
            return Query.of(QueryItem.types(Tally.COUNTED));
        }

        @Override
        public Optional<String> unreadable(SequencedEvent event) {
            return unreadable.contains(event.position().value()) ? Optional.of("of a new release") : Optional.empty();
        }

        @Override
        public void react(SequencedEvent event) {
            unreadable(event).ifPresent(reason -> {
                throw new IllegalArgumentException(reason);
            });
            reactions.add(event.position().value());
        }
    }
}
