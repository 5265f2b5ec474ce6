package dev.registrar.projection;

import static dev.registrar.projection.Instances.DEFAULTS;
import static dev.registrar.projection.Instances.MAX_WAIT;
import static dev.registrar.projection.Instances.QUICK;
import static dev.registrar.projection.Instances.awaitPosition;
import static dev.registrar.projection.Instances.positions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import dev.registrar.projection.ProjectionOptions.OnFailure;
import dev.registrar.subscription.AppendSignals;
import dev.registrar.subscription.Notifications;
import dev.registrar.subscription.WakeUpSignal;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Events reach views and automations in order, each exactly once, and what happens when one cannot be handled. */
class ProjectionRunnerTest {
    private Instances instances;

    @BeforeEach
    void open() {
        instances = new Instances();
    }

    @AfterEach
    void close() {
        instances.close();
    }

    @Test
    void a_view_catches_up_and_stays_current() throws InterruptedException {
        instances.countAtOnce(500);
        Tally tally = new Tally("tally");

        ProjectionRunner runner = instances.start(DEFAULTS.withBatch(64), tally);
        Position last = instances.count(50);
        awaitPosition(runner, "tally", last);

        assertThat(positions(runner, tally)).isEqualTo(instances.counted());
        ProjectionStatus status = runner.administration().status("tally");
        assertThat(status.state()).isEqualTo("running");
        assertThat(status.events()).isEqualTo(550);
        assertThat(status.lagEvents()).isZero();
    }

    /* The signal alone is tested, since a view would also find the event by polling. */
    @Test
    void an_append_of_another_instance_raises_the_signals_here() throws InterruptedException {
        DataSource connections = instances.database.database().dataSource();
        try (AppendSignals here = new AppendSignals(instances.database.newStore());
                Notifications notifications = new Notifications(connections, here, "registrar");
                WakeUpSignal signal = here.register(new Tally("tally").query())) {
            notifications.start();
            assertThat(signal.await(MAX_WAIT))
                    .as("raised when it begins to listen")
                    .isTrue();

            instances.count(1);

            assertThat(signal.await(MAX_WAIT)).isTrue();
        }
    }

    /*
     * A writes at position n and does not commit yet; B's append waits for A's lock, and will have position n + 1. A view
     * that reads meanwhile finds neither. Were B's event visible first, the view would move past n and never see it.
     */
    @Test
    void an_event_that_commits_late_is_not_passed_over() throws Exception {
        Tally tally = new Tally("tally");
        ProjectionRunner runner = instances.notStarted(tally);
        Position before = instances.count(3);
        runner.catchUp();
        try (Connection late = instances.database.connect();
                Statement statement = late.createStatement()) {
            late.setAutoCommit(false);
            statement.execute("select registrar.lock_store()");
            statement.execute("""
                    insert into registrar.events (position, recorded_at, id, type, tags, payload, metadata)
                    select max(position) + 1, now(), gen_random_uuid(), 'Counted', '{tally:1}', '{}', '{}'
                    from registrar.events""");
            statement.execute("""
                    insert into registrar.event_tags (tag, position, type)
                    select 'tally:1', max(position), 'Counted' from registrar.events""");
            Thread overtaking = Thread.ofVirtual().start(() -> instances.count(1));
            await().atMost(MAX_WAIT).until(this::anAppendWaitsForTheLock);

            assertThat(runner.processNext("tally")).isEqualTo(new BatchResult.CaughtUp(before));
            late.commit();
            overtaking.join();
        }

        runner.catchUp();
        assertThat(positions(runner, tally)).isEqualTo(instances.counted()).hasSize(5);
    }

    private boolean anAppendWaitsForTheLock() {
        return JdbcClient.create(instances.database.database().dataSource())
                        .sql("""
                        select count(*)
                        from pg_locks
                        where locktype = 'advisory'
                        and not granted
                        and database = (select oid from pg_database where datname = current_database())""")
                        .query(Long.class)
                        .single()
                > 0;
    }

    @Test
    void batches_are_processed_by_hand_without_threads() {
        Tally tally = new Tally("tally");
        try (ProjectionRunner runner = ProjectionRunner.builder(
                        instances.database.database().dataSource(), instances.store, List.of(tally))
                .options(ProjectionOptions.defaults().withBatch(2))
                .build()) {
            instances.countAtOnce(3);

            assertThat(runner.processNext("tally")).isEqualTo(new BatchResult.Moved(Position.of(2)));
            assertThat(positions(runner, tally)).containsExactly(1L, 2L);
            assertThat(runner.processNext("tally")).isEqualTo(new BatchResult.CaughtUp(Position.of(3)));
            runner.administration().pause("tally");
            assertThat(runner.processNext("tally")).isEqualTo(new BatchResult.Resting());
        }
    }

    @Test
    void an_event_that_cannot_be_handled_is_thrown_by_a_batch_by_hand() {
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

    /** Appends an event that tallies count for each event of another type. */
    private record Answering(EventStore store) implements Automation {
        @Override
        public String name() {
            return "answering";
        }

        @Override
        public Query query() {
            return Query.of(QueryItem.types("Asked"));
        }

        @Override
        public void react(SequencedEvent event) {
            Instances.append(store, Instances.event());
        }
    }

    @Test
    void catching_up_by_hand_includes_what_automations_cause() {
        Tally tally = new Tally("tally");
        ProjectionRunner runner = instances.notStarted(tally, new Answering(instances.store));
        runner.catchUp();
        Event asked = Event.of("Asked", List.of(new Tag("tally:1")), "{}");
        Instances.append(instances.store, asked, asked);

        runner.catchUp();

        assertThat(positions(runner, tally)).containsExactly(3L, 4L);
    }

    /* Instants are compared with the clock: a day later, the age of the event that waits is a day. */
    @Test
    void the_age_of_an_event_that_waits_is_told_by_the_clock() {
        Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
        try (ProjectionRunner runner = ProjectionRunner.builder(
                        instances.database.database().dataSource(), instances.store, List.of(new Tally("tally")))
                .clock(() -> tomorrow)
                .build()) {
            runner.catchUp();
            instances.count(1);

            assertThat(runner.administration().status("tally").lag()).isGreaterThan(Duration.ofHours(23));
        }
    }

    @Test
    void two_instances_apply_each_event_once() throws InterruptedException {
        Tally tally = new Tally("tally");
        Tally other = new Tally("other");
        ProjectionRunner one = instances.start(DEFAULTS.withBatch(7), tally, other);
        ProjectionRunner two = instances.start(DEFAULTS.withBatch(7), tally, other);

        Position last = instances.count(400);
        for (ProjectionRunner each : List.of(one, two)) {
            awaitPosition(each, "tally", last);
            awaitPosition(each, "other", last);
        }

        assertThat(positions(one, tally)).isEqualTo(instances.counted());
        assertThat(positions(two, other)).isEqualTo(instances.counted());
    }

    @Test
    void an_instance_continues_where_another_has_stopped() throws InterruptedException {
        Tally tally = new Tally("tally");
        ProjectionRunner one = instances.start(DEFAULTS, tally);
        awaitPosition(one, "tally", instances.count(10));
        instances.close(one);
        Position last = instances.count(10);

        ProjectionRunner two = instances.start(DEFAULTS, tally);

        awaitPosition(two, "tally", last);
        assertThat(positions(two, tally)).isEqualTo(instances.counted());
        assertThat(two.administration().status("tally").events()).isEqualTo(20);
    }

    @Test
    void an_event_that_cannot_be_handled_stops_its_view_and_no_other() throws InterruptedException {
        AtomicBoolean mended = new AtomicBoolean();
        Tally poisoned = new Tally("poisoned", 1, event -> {
            if (event.position().value() == 5 && !mended.get()) {
                throw new IllegalArgumentException("five");
            }
        });
        Tally healthy = new Tally("healthy");
        ProjectionRunner runner = instances.start(QUICK, poisoned, healthy);
        Position last = instances.countAtOnce(10);

        await().atMost(MAX_WAIT)
                .until(() -> runner.administration().status("poisoned").state().equals("stopped"));
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

        mended.set(true);
        runner.administration().resume("poisoned");

        awaitPosition(runner, "poisoned", last);
        assertThat(positions(runner, poisoned)).isEqualTo(instances.counted());
        assertThat(runner.administration().status("poisoned").failure()).isNull();
        assertThat(runner.administration().status("poisoned").isStopped()).isFalse();
    }

    @Test
    void an_event_is_tried_again_before_it_stops_a_view() throws InterruptedException {
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
    void an_event_that_cannot_be_handled_is_skipped_if_the_options_say_so() throws InterruptedException {
        Tally poisoned = new Tally("poisoned", 1, event -> {
            if (event.position().value() == 5) {
                throw new IllegalArgumentException("five");
            }
        });
        ProjectionRunner runner =
                instances.start(DEFAULTS.withRetries(2, Duration.ofMillis(1), OnFailure.SKIP), poisoned);

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
    @ValueSource(ints = {1, 4, 100})
    void events_that_cannot_be_read_are_skipped_and_stop_nothing(int batch) throws InterruptedException {
        Choosy view = new Choosy(new Tally("choosy"), List.of(1L, 4L, 5L, 10L));
        // No event is tried a second time within this test.
        ProjectionRunner runner =
                instances.start(DEFAULTS.withBatch(batch).withRetries(5, Duration.ofMinutes(1), OnFailure.STOP), view);

        awaitPosition(runner, "choosy", instances.countAtOnce(10));
        runner.administration().rebuild("choosy");
        await().atMost(MAX_WAIT)
                .until(() -> runner.administration().status("choosy").rebuild().isEmpty());

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

    @Test
    void names_are_unique_and_checked() {
        assertThatThrownBy(() -> instances.start(DEFAULTS, new Tally("a"), new Tally("a")))
                .hasMessageContaining("'a'");
        assertThatThrownBy(() -> instances.start(DEFAULTS, new Tally("Not a name")))
                .hasMessageContaining("Not a name");
        ProjectionRunner runner = instances.start(DEFAULTS, new Tally("tally"));
        assertThatThrownBy(() -> runner.administration().pause("nobody"))
                .isInstanceOf(UnknownProjectionException.class);
        assertThatThrownBy(() -> runner.administration().rebuild("nobody"))
                .isInstanceOf(UnknownProjectionException.class);
    }
}
