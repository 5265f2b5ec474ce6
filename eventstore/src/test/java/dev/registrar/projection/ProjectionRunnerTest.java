package dev.registrar.projection;

import static dev.registrar.projection.Instances.DEFAULTS;
import static dev.registrar.projection.Instances.awaitPosition;
import static dev.registrar.projection.Instances.positions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.AwaitilityTimeouts;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import dev.registrar.subscription.AppendSignals;
import dev.registrar.subscription.AppendSignals.WakeUpSignal;
import dev.registrar.subscription.Notifications;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Events reach views and automations in order, each exactly once. */
class ProjectionRunnerTest extends ProjectionFixture {
    @Test
    void a_view_catches_up_and_stays_current() throws InterruptedException {
        instances.countAtOnce(500);
        Tally tally = new Tally("tally");

        ProjectionRunner runner = instances.start(ProjectionOptions.with(options -> options.batch = 64), tally);
        Position last = instances.count(5);
        awaitPosition(runner, "tally", last);

        assertThat(positions(runner, tally)).isEqualTo(instances.counted());
        ProjectionStatus status = runner.administration().status("tally");
        assertThat(status.state()).isEqualTo("running");
        assertThat(status.events()).isEqualTo(505);
        assertThat(status.lagEvents()).isZero();
    }

    /* This tests only the signal, since a view would also find the event by polling. */
    @Test
    void an_append_of_another_instance_raises_the_signals_here() throws InterruptedException {
        DataSource connections = instances.database.database().dataSource();
        try (AppendSignals here = new AppendSignals(instances.database.newStore());
                Notifications notifications = new Notifications(connections, here, "registrar");
                WakeUpSignal signal = here.register(new Tally("tally").query())) {
            notifications.start();
            assertThat(signal.await(AwaitilityTimeouts.MAX_WAIT))
                    .as("signal raised when listening starts")
                    .isTrue();

            instances.count(1);

            assertThat(signal.await(AwaitilityTimeouts.MAX_WAIT)).isTrue();
        }
    }

    /*
     * A has written position n and has not committed; B's append waits for A's lock and will get position n + 1. A view
     * that reads now finds neither event. If B's event were visible first, the view would move past n and miss A's
     * event.
     */
    @Test
    void an_event_that_commits_late_is_not_missed() throws Exception {
        Tally tally = new Tally("tally");
        ProjectionRunner runner = instances.notStarted(tally);
        Position before = instances.count(3);
        runner.catchUp();
        try (Connection late = instances.database.connect();
                Statement statement = late.createStatement()) {
            late.setAutoCommit(false);
            statement.execute("select registrar.lock_store()");
            statement.execute("""
                    insert into registrar.events (position, recorded_at, id, size, type, tags, payload, metadata)
                    select max(position) + 1, now(), gen_random_uuid(), 300, 'Counted', '{tally:1}', '{}', '{}'
                    from registrar.events""");
            statement.execute("""
                    insert into registrar.event_tags (tag, position, type)
                    select 'tally:1', max(position), 'Counted' from registrar.events""");
            Thread overtaking = Thread.ofVirtual().start(() -> instances.count(1));
            await().until(this::anAppendWaitsForTheLock);

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
    void batches_can_be_processed_manually_without_threads() {
        Tally tally = new Tally("tally");
        try (ProjectionRunner runner = ProjectionRunner.builder(
                        instances.database.database().dataSource(), instances.store, List.of(tally))
                .options(ProjectionOptions.with(options -> options.batch = 2))
                .build()) {
            instances.countAtOnce(3);

            assertThat(runner.processNext("tally")).isEqualTo(new BatchResult.Moved(Position.of(2)));
            assertThat(positions(runner, tally)).containsExactly(1L, 2L);
            assertThat(runner.processNext("tally")).isEqualTo(new BatchResult.CaughtUp(Position.of(3)));
            runner.administration().pause("tally");
            assertThat(runner.processNext("tally")).isEqualTo(new BatchResult.Resting());
        }
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
    void a_manual_catch_up_includes_the_events_of_automations() {
        Tally tally = new Tally("tally");
        ProjectionRunner runner = instances.notStarted(tally, new Answering(instances.store));
        runner.catchUp();
        Event asked = Event.of("Asked", List.of(new Tag("tally:1")), "{}");
        Instances.append(instances.store, asked, asked);

        runner.catchUp();

        assertThat(positions(runner, tally)).containsExactly(3L, 4L);
    }

    /* The clock is a day ahead, so the unprocessed event is a day old. */
    @Test
    void the_lag_is_measured_with_the_configured_clock() {
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
        ProjectionRunner one = instances.start(ProjectionOptions.with(options -> options.batch = 7), tally, other);
        ProjectionRunner two = instances.start(ProjectionOptions.with(options -> options.batch = 7), tally, other);

        Position last = instances.count(60);
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
    void a_query_that_exceeds_a_limit_is_refused_at_the_start_with_the_name_of_its_view() {
        String[] types = IntStream.rangeClosed(0, 100).mapToObj(i -> "Type" + i).toArray(String[]::new);
        Automation broad = new Automation() {
            @Override
            public String name() {
                return "broad";
            }

            @Override
            public Query query() {
                return Query.of(QueryItem.types(types));
            }

            @Override
            public void react(SequencedEvent event) {}
        };

        assertThatThrownBy(() -> instances.start(DEFAULTS, new Tally("tally"), broad))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "The store refuses the query of 'broad': A query item must have at most 100 types but has 101");
    }

    @Test
    void a_batch_of_an_automation_below_one_event_is_refused_at_the_start_with_its_name() {
        Automation none = new Automation() {
            @Override
            public String name() {
                return "none";
            }

            @Override
            public Query query() {
                return Query.all();
            }

            @Override
            public int batch() {
                return 0;
            }

            @Override
            public void react(SequencedEvent event) {}
        };

        assertThatThrownBy(() -> instances.start(DEFAULTS, none))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The batch of 'none' must be 1 event or more but is 0");
    }

    @Test
    void names_are_unique_and_validated() {
        assertThatThrownBy(() -> instances.start(DEFAULTS, new Tally("a"), new Tally("a")))
                .hasMessageContaining("'a'");
        assertThatThrownBy(() -> instances.start(DEFAULTS, new Tally("Not a name")))
                .hasMessageContaining("Not a name");
        ProjectionRunner runner = instances.start(DEFAULTS, new Tally("tally"));
        assertThatThrownBy(() -> runner.administration().pause("unknown"))
                .isInstanceOf(UnknownProjectionException.class);
        assertThatThrownBy(() -> runner.administration().rebuild("unknown"))
                .isInstanceOf(UnknownProjectionException.class);
    }
}
