package dev.registrar.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.registrar.TestDatabase;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.StoreSchema;
import dev.registrar.subscription.AppendSignals;
import dev.registrar.subscription.Notifications;
import dev.registrar.subscription.WakeUpSignal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Views follow the log: what is applied when, and what happens when it cannot be. */
class ProjectionsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Map<String, ?> QUICK = Map.of("retry-after", "1ms", "longest-poll", "200ms");

    private Instances instances;

    @BeforeEach
    void open() {
        instances = new Instances();
    }

    @AfterEach
    void close() {
        instances.close();
    }

    private static void awaitPosition(Projections projections, String name, Position position)
            throws InterruptedException {
        assertThat(projections.waitFor(name, position, PATIENCE)).isTrue();
    }

    private static List<Long> positions(Projections projections, Tally tally) {
        return projections.read(tally, Position.START, Tally::positions).found();
    }

    @Test
    void a_view_catches_up_and_stays_current() throws InterruptedException {
        instances.countAtOnce(500);
        Tally tally = new Tally("tally");

        Projections projections = instances.start(Map.of("batch", 64), tally);
        Position last = instances.count(50);
        awaitPosition(projections, "tally", last);

        assertThat(positions(projections, tally)).isEqualTo(instances.counted());
        ProjectionStatus status = projections.status("tally");
        assertThat(status.state()).isEqualTo("running");
        assertThat(status.events()).isEqualTo(550);
        assertThat(status.lagEvents()).isZero();
    }

    /* A bell rings, while a view would also find the event by looking for it now and then. */
    @Test
    void an_append_of_another_instance_rings_here() throws InterruptedException {
        DataSource connections = instances.database.database().dataSource();
        try (AppendSignals here = new AppendSignals(instances.database.newStore());
                Notifications notifications = new Notifications(connections, here, "registrar");
                WakeUpSignal signal = here.register(new Tally("tally").query())) {
            notifications.start();
            assertThat(signal.await(PATIENCE)).as("rung since it listens now").isTrue();

            instances.count(1);

            assertThat(signal.await(PATIENCE)).isTrue();
        }
    }

    @Test
    void a_view_counts_as_current_past_events_that_are_none_of_its_own() throws InterruptedException {
        Projections projections = instances.start(QUICK, new Tally("tally"));
        Position last = Instances.append(instances.store, Event.of("Other", List.of(new Tag("other:1")), "{}"));

        awaitPosition(projections, "tally", last);

        assertThat(projections.status("tally").lagEvents()).isZero();
    }

    @Test
    void a_position_that_no_event_has_is_refused_and_not_waited_for() {
        Projections projections = instances.start(QUICK, new Tally("tally"));
        Position last = instances.count(1);
        Position beyond = Position.of(last.value() + 1);

        assertThatThrownBy(() -> projections.waitFor("tally", beyond, Duration.ofDays(1)))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("Position 2 is beyond the last event's, which is 1");
        assertThatThrownBy(() -> projections.read(new Tally("tally"), beyond, Tally::positions))
                .isInstanceOf(RefusedInputException.class);
    }

    /*
     * A writes at position n and does not commit yet; B's append waits for A's lock, and would be given n + 1. A view that
     * looks meanwhile sees neither; were B's visible first, it would move past n and never see it.
     */
    @Test
    void what_commits_late_is_not_passed_over() throws Exception {
        Tally tally = new Tally("tally");
        Projections projections = instances.start(Map.of("longest-poll", "20ms"), tally);
        Position before = instances.count(3);
        awaitPosition(projections, "tally", before);
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
            // Time to pass it over, for a view that could; nothing tells that one will not.
            Thread.sleep(300);
            assertThat(positions(projections, tally)).hasSize(3);
            late.commit();
            overtaking.join();
        }

        awaitPosition(projections, "tally", Position.of(before.value() + 2));
        assertThat(positions(projections, tally)).isEqualTo(instances.counted()).hasSize(5);
    }

    @Test
    void two_instances_apply_each_event_once() throws InterruptedException {
        Tally tally = new Tally("tally");
        Tally other = new Tally("other");
        Projections one = instances.start(Map.of("batch", 7), tally, other);
        Projections two = instances.start(Map.of("batch", 7), tally, other);

        Position last = instances.count(400);
        for (Projections each : List.of(one, two)) {
            awaitPosition(each, "tally", last);
            awaitPosition(each, "other", last);
        }

        assertThat(positions(one, tally)).isEqualTo(instances.counted());
        assertThat(positions(two, other)).isEqualTo(instances.counted());
    }

    @Test
    void an_instance_goes_on_where_another_one_has_stopped() throws InterruptedException {
        Tally tally = new Tally("tally");
        Projections one = instances.start(Map.of(), tally);
        awaitPosition(one, "tally", instances.count(10));
        instances.close(one);
        Position last = instances.count(10);

        Projections two = instances.start(Map.of(), tally);

        awaitPosition(two, "tally", last);
        assertThat(positions(two, tally)).isEqualTo(instances.counted());
        assertThat(two.status("tally").events()).isEqualTo(20);
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
        Projections projections = instances.start(QUICK, poisoned, healthy);
        Position last = instances.countAtOnce(10);

        await().atMost(PATIENCE)
                .until(() -> projections.status("poisoned").state().equals("stopped"));
        awaitPosition(projections, "healthy", last);

        assertThat(positions(projections, poisoned)).containsExactly(1L, 2L, 3L, 4L);
        assertThat(projections.status("poisoned").failure())
                .extracting(String::valueOf)
                .asString()
                .contains("five")
                .contains("position=5");
        assertThat(projections.status("poisoned").lagEvents()).isEqualTo(6);
        assertThat(new ProjectionHealth(projections).health().getStatus().getCode())
                .isEqualTo("DOWN");

        mended.set(true);
        projections.resume("poisoned");

        awaitPosition(projections, "poisoned", last);
        assertThat(positions(projections, poisoned)).isEqualTo(instances.counted());
        assertThat(projections.status("poisoned").failure()).isNull();
        assertThat(new ProjectionHealth(projections).health().getStatus().getCode())
                .isEqualTo("UP");
    }

    @Test
    void an_event_that_cannot_be_handled_is_tried_again_before_it_counts() throws InterruptedException {
        AtomicInteger tries = new AtomicInteger();
        Tally flaky = new Tally("flaky", 1, event -> {
            if (event.position().value() == 2 && tries.incrementAndGet() < 4) {
                throw new IllegalArgumentException("not yet");
            }
        });
        Projections projections = instances.start(QUICK, flaky);

        awaitPosition(projections, "flaky", instances.countAtOnce(3));

        assertThat(tries).hasValue(4);
        assertThat(positions(projections, flaky)).isEqualTo(instances.counted());
    }

    @Test
    void an_event_that_cannot_be_handled_is_recorded_and_left_out_if_so_set() throws InterruptedException {
        Tally poisoned = new Tally("poisoned", 1, event -> {
            if (event.position().value() == 5) {
                throw new IllegalArgumentException("five");
            }
        });
        Projections projections =
                instances.start(Map.of("on-failure", "skip", "attempts", 2, "retry-after", "1ms"), poisoned);

        awaitPosition(projections, "poisoned", instances.countAtOnce(7));

        assertThat(positions(projections, poisoned)).containsExactly(1L, 2L, 3L, 4L, 6L, 7L);
        assertThat(projections.status("poisoned").skipped()).isEqualTo(1);
        assertThat(skips()).containsExactly("poisoned 5 java.lang.IllegalArgumentException: five");
    }

    private List<String> skips() {
        return JdbcClient.create(instances.database.database().dataSource())
                .sql("select name || ' ' || position || ' ' || error from registrar.projection_skips")
                .query((row, number) -> row.getString(1))
                .list();
    }

    private static Tally failingAt(String name, List<Long> positions) {
        return new Tally(name, 1, event -> {
            if (positions.contains(event.position().value())) {
                throw new IllegalArgumentException("no event: \0");
            }
        });
    }

    @Test
    void an_operator_skips_the_event_that_a_view_has_stopped_at_and_nothing_else() throws InterruptedException {
        Tally poisoned = failingAt("poisoned", List.of(3L, 5L));
        Tally healthy = new Tally("healthy");
        Projections projections = instances.start(QUICK, poisoned, healthy);
        Position last = instances.countAtOnce(10);
        await().atMost(PATIENCE)
                .until(() -> projections.status("poisoned").state().equals("stopped"));

        assertThatThrownBy(() -> projections.skip("poisoned", Position.of(5)))
                .isInstanceOf(NotSkippableException.class)
                .hasMessageContaining("at position 3, not at 5");
        assertThatThrownBy(() -> projections.skip("healthy", Position.of(3)))
                .isInstanceOf(NotSkippableException.class)
                .hasMessageContaining("running");
        projections.skip("poisoned", Position.of(3));
        await().atMost(PATIENCE).until(() -> {
            ProjectionStatus status = projections.status("poisoned");
            return status.state().equals("stopped") && status.skipped() == 1;
        });
        projections.skip("poisoned", Position.of(5));
        awaitPosition(projections, "poisoned", last);

        ProjectionStatus status = projections.status("poisoned");
        assertThat(status.state()).isEqualTo("running");
        assertThat(status.failure()).isNull();
        assertThat(status.skipped()).isEqualTo(2);
        assertThat(status.skips())
                .extracting(Skip::position, Skip::by)
                .containsExactly(tuple(Position.of(5), Skip.By.OPERATOR), tuple(Position.of(3), Skip.By.OPERATOR));
        assertThat(status.skips().getFirst().reason()).contains("no event: \uFFFD");
        assertThat(positions(projections, poisoned)).containsExactly(1L, 2L, 4L, 6L, 7L, 8L, 9L, 10L);
        assertThatThrownBy(() -> projections.skip("nothing", Position.of(1)))
                .isInstanceOf(UnknownProjectionException.class);
    }

    /** Keeps what a tally keeps, and cannot read the events at some positions. */
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

    /* The view writes first and fails then: what it wrote of the first try must be gone with it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 100})
    void events_that_cannot_be_read_are_left_out_of_a_batch_and_stop_nothing(int batch) throws InterruptedException {
        Choosy view = new Choosy(new Tally("choosy"), List.of(1L, 4L, 5L, 10L));
        // Nothing is tried a second time within this test.
        Projections projections = instances.start(Map.of("batch", batch, "retry-after", "1h"), view);

        awaitPosition(projections, "choosy", instances.countAtOnce(10));
        projections.rebuild("choosy");
        await().atMost(PATIENCE)
                .until(() -> projections.status("choosy").rebuild().isEmpty());

        ProjectionStatus status = projections.status("choosy");
        assertThat(projections.read(view, Position.START, Tally::positions).found())
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
    void an_operator_skips_the_event_that_a_rebuild_has_stopped_at() throws InterruptedException {
        AtomicBoolean building = new AtomicBoolean();
        Tally tally = new Tally("tally", 1, event -> {
            if (building.get() && event.position().value() == 4) {
                throw new IllegalArgumentException("four");
            }
        });
        Projections projections = instances.start(QUICK, tally);
        Position last = instances.countAtOnce(10);
        awaitPosition(projections, "tally", last);
        building.set(true);
        projections.rebuild("tally");
        await().atMost(PATIENCE)
                .until(() -> projections
                        .status("tally")
                        .rebuild()
                        .map(rebuild -> rebuild.state().equals("stopped"))
                        .orElse(false));

        projections.skip("tally", Position.of(4));

        await().atMost(PATIENCE)
                .until(() -> projections.status("tally").rebuild().isEmpty());
        assertThat(positions(projections, tally)).containsExactly(1L, 2L, 3L, 5L, 6L, 7L, 8L, 9L, 10L);
        assertThat(projections.status("tally").skips())
                .extracting(Skip::position)
                .containsExactly(Position.of(4));
    }

    @Test
    void a_paused_view_rests_in_every_instance_until_it_is_resumed() throws InterruptedException {
        Tally tally = new Tally("tally");
        Projections one = instances.start(QUICK, tally);
        Projections two = instances.start(QUICK, tally);
        awaitPosition(one, "tally", instances.count(3));

        two.pause("tally");
        Position last = instances.count(3);

        assertThat(one.waitFor("tally", last, Duration.ofMillis(500))).isFalse();
        assertThat(one.status("tally").state()).isEqualTo("paused");
        assertThat(one.status("tally").lagEvents()).isEqualTo(3);

        one.resume("tally");
        awaitPosition(two, "tally", last);
        assertThat(positions(one, tally)).isEqualTo(instances.counted());
    }

    @Test
    void a_reset_view_is_filled_again() throws InterruptedException {
        Tally tally = new Tally("tally");
        Projections projections = instances.start(QUICK, tally);
        Position last = instances.count(20);
        awaitPosition(projections, "tally", last);

        projections.reset("tally");
        awaitPosition(projections, "tally", last);

        assertThat(positions(projections, tally)).isEqualTo(instances.counted());
        assertThat(projections.status("tally").events()).isEqualTo(20);
    }

    @Test
    void a_view_of_a_store_that_was_cleared_begins_again() throws InterruptedException {
        Tally tally = new Tally("tally");
        Projections projections = instances.start(QUICK, tally);
        awaitPosition(projections, "tally", instances.count(20));

        instances.database.clear();
        awaitPosition(projections, "tally", instances.count(2));

        assertThat(positions(projections, tally)).containsExactly(1L, 2L);
    }

    @Test
    void a_view_that_stopped_goes_on_in_a_store_without_what_stopped_it() throws InterruptedException {
        AtomicBoolean mended = new AtomicBoolean();
        Tally poisoned = new Tally("poisoned", 1, event -> {
            if (event.position().value() == 2 && !mended.get()) {
                throw new IllegalArgumentException("two");
            }
        });
        Projections projections = instances.start(QUICK, poisoned);
        instances.count(3);
        await().atMost(PATIENCE)
                .until(() -> projections.status("poisoned").state().equals("stopped"));
        mended.set(true);

        instances.database.clear();
        Position last = instances.count(4);

        awaitPosition(projections, "poisoned", last);
        assertThat(positions(projections, poisoned)).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void a_view_of_a_store_that_was_set_back_begins_again() throws InterruptedException {
        Tally tally = new Tally("tally");
        Projections projections = instances.start(QUICK, tally);
        awaitPosition(projections, "tally", instances.count(20));

        instances.database.setBackTo(5);
        awaitPosition(projections, "tally", Position.of(5));

        await().atMost(PATIENCE).until(() -> positions(projections, tally).size() == 5);
    }

    /*
     * Events 3 to 5 are replaced by others at the same positions, under the same incarnation: neither the incarnation nor
     * the position of the checkpoint tells.
     */
    @Test
    void a_view_whose_events_were_replaced_is_built_again() {
        List<UUID> applied = new CopyOnWriteArrayList<>();
        Tally tally = new Tally("tally", 1, event -> applied.add(event.event().id()));
        Projections projections = instances.start(QUICK, tally);
        instances.count(5);
        await().atMost(PATIENCE).until(() -> applied.size() == 5);

        instances.database.replaceAfter(2);

        await().atMost(PATIENCE).until(() -> applied.size() == 10);
        assertThat(applied.subList(5, 10)).isEqualTo(eventIds()).isNotEqualTo(applied.subList(0, 5));
        // What is applied is seen by others when its transaction has committed.
        await().atMost(PATIENCE).until(() -> projections.status("tally").events() == 5);
        assertThat(positions(projections, tally)).isEqualTo(instances.counted());
    }

    @Test
    void a_stopped_view_whose_events_were_replaced_is_built_again() throws InterruptedException {
        List<UUID> poison = new CopyOnWriteArrayList<>();
        Tally tally = new Tally("tally", 1, event -> {
            if (event.position().value() == 4 && poison.isEmpty()) {
                poison.add(event.event().id());
            }
            if (poison.contains(event.event().id())) {
                throw new IllegalArgumentException("four");
            }
        });
        Projections projections = instances.start(QUICK, tally);
        instances.count(5);
        await().atMost(PATIENCE).until(() -> projections.status("tally").state().equals("stopped"));

        instances.database.replaceAfter(2);

        awaitPosition(projections, "tally", Position.of(5));
        assertThat(positions(projections, tally)).isEqualTo(instances.counted());
    }

    @Test
    void an_automation_whose_events_were_replaced_begins_again() {
        Reacting reacting = new Reacting(new CopyOnWriteArrayList<>());
        instances.start(QUICK, reacting);
        instances.count(5);
        await().atMost(PATIENCE).until(() -> reacting.seen().size() == 5);

        instances.database.replaceAfter(2);

        await().atMost(PATIENCE).until(() -> reacting.seen().size() == 10);
        assertThat(reacting.seen().subList(5, 10)).isEqualTo(eventIds());
    }

    /* Older code moves the position and knows nothing of the event's id, which would be the one of another position. */
    @Test
    void a_checkpoint_that_an_older_version_has_moved_is_gone_on_from() throws InterruptedException {
        Tally tally = new Tally("tally");
        Projections before = instances.start(QUICK, tally);
        awaitPosition(before, "tally", instances.count(3));
        instances.close(before);
        instances.count(2);
        instances.database.execute("insert into registrar_tally.tally values (4, 1), (5, 1)");
        instances.database.execute("update registrar.projections set position = 5, events = 5, moved_at = now()");
        assertThat(checkpointEventIds()).containsExactly("none");
        AtomicInteger applied = new AtomicInteger();

        Projections after = instances.start(QUICK, new Tally("tally", 1, event -> applied.incrementAndGet()));
        await().atMost(PATIENCE)
                .until(() ->
                        checkpointEventIds().equals(List.of(eventIds().getLast().toString())));
        awaitPosition(after, "tally", instances.count(1));

        assertThat(applied).hasValue(1);
        assertThat(positions(after, tally)).isEqualTo(instances.counted());
    }

    @Test
    void checkpoints_from_before_they_named_events_are_given_the_ids() {
        try (TestDatabase database = TestDatabase.create()) {
            FluentConfiguration migrations = Flyway.configure()
                    .dataSource(database.url(), database.username(), database.password())
                    .defaultSchema("registrar")
                    .schemas("registrar")
                    .locations("classpath:" + StoreSchema.LOCATION);
            migrations.target("4").load().migrate();
            JdbcClient jdbc = JdbcClient.create(database.dataSource());
            jdbc.sql("""
                            insert into registrar.events (position, recorded_at, id, type, tags, payload, metadata)
                            select position, now(), gen_random_uuid(), 'Counted', '{}', '{}', '{}'
                            from generate_series(1, 3) position""").update();
            jdbc.sql("""
                            insert into registrar.projections (name, build, version, incarnation, position)
                            select name, 'live', 1, case name when 'other' then gen_random_uuid() else incarnation end, position
                            from registrar.store, (values ('start', 0), ('two', 2), ('beyond', 4), ('other', 2))
                                given (name, position)""").update();

            migrations.target("latest").load().migrate();

            assertThat(jdbc.sql("""
                                    select name
                                    from registrar.projections
                                    join registrar.events on events.id = last_event_id and events.position = projections.position""").query((row, number) -> row.getString(1)).list())
                    .containsExactly("two");
            assertThat(jdbc.sql("select count(*) from registrar.projections where last_event_id is null")
                            .query((row, number) -> row.getInt(1))
                            .single())
                    .isEqualTo(3);
        }
    }

    private List<String> checkpointEventIds() {
        return JdbcClient.create(instances.database.database().dataSource())
                .sql("select coalesce(last_event_id::text, 'none') from registrar.projections")
                .query((row, number) -> row.getString(1))
                .list();
    }

    private record Reacting(List<UUID> seen) implements Automation {
        @Override
        public String name() {
            return "reacting";
        }

        @Override
        public Query query() {
            return Query.all();
        }

        @Override
        public void react(SequencedEvent event) {
            seen.add(event.event().id());
        }
    }

    private List<UUID> eventIds() {
        return instances.store.read(Query.all()).stream()
                .map(event -> event.event().id())
                .toList();
    }

    @Test
    void a_rebuild_is_read_as_before_until_it_takes_the_place() throws InterruptedException {
        Position last = instances.countAtOnce(300);
        CountDownLatch goesOn = new CountDownLatch(1);
        AtomicBoolean slow = new AtomicBoolean();
        Tally tally = new Tally("tally", 1, event -> {
            if (slow.get() && event.position().value() == 100) {
                awaitUninterruptibly(goesOn);
            }
        });
        Projections projections = instances.start(Map.of("batch", 10), tally);
        awaitPosition(projections, "tally", last);

        slow.set(true);
        projections.rebuild("tally");
        await().atMost(PATIENCE)
                .until(() -> projections
                        .status("tally")
                        .rebuild()
                        .filter(rebuild -> rebuild.events() == 90)
                        .isPresent());
        Position later = instances.count(5);
        awaitPosition(projections, "tally", later);

        assertThat(positions(projections, tally)).isEqualTo(instances.counted());
        ProjectionStatus.Rebuild rebuild = projections.status("tally").rebuild().orElseThrow();
        assertThat(rebuild.remaining()).isEqualTo(305 - 90);
        assertThat(indexes(projections, tally))
                .containsExactly(
                        "registrar_tally.tally_made_by",
                        "registrar_tally.tally_pkey",
                        "registrar_tally_next.tally_pkey");

        goesOn.countDown();
        await().atMost(PATIENCE)
                .until(() -> projections.status("tally").rebuild().isEmpty());

        assertThat(positions(projections, tally)).isEqualTo(instances.counted());
        assertThat(projections.status("tally").events()).isEqualTo(305);
        assertThat(indexes(projections, tally))
                .containsExactly("registrar_tally.tally_made_by", "registrar_tally.tally_pkey");
        awaitPosition(projections, "tally", instances.count(5));
        assertThat(positions(projections, tally)).isEqualTo(instances.counted());
    }

    private static List<String> indexes(Projections projections, Tally tally) {
        return projections.read(tally, Position.START, Tally::indexes).found();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void a_new_version_is_built_beside_the_old_one_and_takes_its_place() throws InterruptedException {
        Tally old = new Tally("tally");
        Projections before = instances.start(QUICK, old);
        awaitPosition(before, "tally", instances.countAtOnce(50));

        Tally young = new Tally("tally", 2, event -> {});
        Projections after = instances.start(QUICK, young);
        await().atMost(PATIENCE).until(() -> after.status("tally").version() == 2);
        Position last = instances.count(10);
        awaitPosition(after, "tally", last);

        assertThat(after.read(young, last, Tally::versions).found()).containsExactly(2);
        assertThat(positions(after, young)).isEqualTo(instances.counted());
        // The old code leaves the new tables alone.
        assertThat(before.read(old, last, Tally::versions).found()).containsExactly(2);
    }

    @Test
    void a_rebuild_goes_on_where_a_crash_has_left_it() throws InterruptedException {
        instances.countAtOnce(300);
        AtomicBoolean building = new AtomicBoolean();
        AtomicInteger seen = new AtomicInteger();
        Tally tally = new Tally("tally", 1, event -> {
            if (building.get() && seen.incrementAndGet() > 100) {
                throw new DataAccessResourceFailureException("gone");
            }
        });
        Projections one = instances.start(Map.of("batch", 10, "retry-after", "1m"), tally);
        awaitPosition(one, "tally", Position.of(300));
        building.set(true);
        one.rebuild("tally");
        await().atMost(PATIENCE).until(() -> seen.get() > 100);
        instances.close(one);
        building.set(false);

        AtomicInteger again = new AtomicInteger();
        Tally counting = new Tally("tally", 1, event -> again.incrementAndGet());
        Projections two = instances.start(Map.of("batch", 10), counting);
        await().atMost(PATIENCE).until(() -> two.status("tally").rebuild().isEmpty());

        assertThat(again).hasValue(200);
        assertThat(positions(two, counting)).isEqualTo(instances.counted());
    }

    @Test
    void names_are_told_apart_and_checked() {
        assertThatThrownBy(() -> instances.start(Map.of(), new Tally("a"), new Tally("a")))
                .hasMessageContaining("'a'");
        assertThatThrownBy(() -> instances.start(Map.of(), new Tally("Not a name")))
                .hasMessageContaining("Not a name");
        Projections projections = instances.start(Map.of(), new Tally("tally"));
        assertThatThrownBy(() -> projections.pause("nobody")).isInstanceOf(UnknownProjectionException.class);
        assertThatThrownBy(() -> projections.rebuild("nobody")).isInstanceOf(UnknownProjectionException.class);
    }

    @Test
    void a_wait_never_ends_before_the_view_is_there() throws InterruptedException, SQLException {
        Tally tally = new Tally("tally");
        Projections here = instances.start(Map.of(), tally);
        Projections there = instances.start(Map.of(), tally);
        for (int i = 0; i < 150; i++) {
            Position last = instances.count(1);
            Projections each = i % 2 == 0 ? here : there;
            ViewAt<List<Long>> read = each.read(tally, last, Tally::positions);
            assertThat(read.found()).contains(last.value());
            assertThat(read.position().value()).isGreaterThanOrEqualTo(last.value());
        }
    }
}
