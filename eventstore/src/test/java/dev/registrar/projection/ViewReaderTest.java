package dev.registrar.projection;

import static dev.registrar.projection.Instances.DEFAULTS;
import static dev.registrar.projection.Instances.QUICK;
import static dev.registrar.projection.Instances.awaitPosition;
import static dev.registrar.projection.Instances.positions;
import static dev.registrar.projection.Instances.quick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.ForwardingEventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.ReadReplica;
import dev.registrar.eventstore.postgres.StoreDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A look-up waits for the position that its caller has seen. */
class ViewReaderTest extends ProjectionFixture {
    @Test
    void a_view_has_reached_a_position_if_it_lacks_no_event_of_its_query() throws InterruptedException {
        ProjectionRunner runner = instances.start(QUICK, new Tally("tally"));
        Position last = Instances.append(instances.store, Event.of("Other", List.of(new Tag("other:1")), "{}"));

        awaitPosition(runner, "tally", last);

        assertThat(runner.administration().status("tally").lagEvents()).isZero();
    }

    @Test
    void a_position_beyond_the_last_event_is_refused_at_once() {
        ProjectionRunner runner = instances.start(QUICK, new Tally("tally"));
        Position last = instances.count(1);
        Position beyond = Position.of(last.value() + 1);

        assertThatThrownBy(() -> runner.views().waitFor("tally", beyond, Duration.ofDays(1)))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("Position 2 is beyond the last event's, which is 1");
        assertThatThrownBy(() -> runner.views().read(new Tally("tally"), beyond, Tally::positions))
                .isInstanceOf(RefusedInputException.class);
    }

    @Test
    void a_read_only_instance_reads_the_views_of_another_instance() throws InterruptedException {
        List<Long> appliedHere = new CopyOnWriteArrayList<>();
        Tally tally =
                new Tally("tally", 1, event -> appliedHere.add(event.position().value()));
        ProjectionRunner reading = instances.start(quick(options -> options.enabled = false), tally);
        Position last = instances.count(3);
        instances.start(QUICK, new Tally("tally"));

        awaitPosition(reading, "tally", last);

        assertThat(positions(reading, tally)).containsExactly(1L, 2L, 3L);
        assertThat(appliedHere).isEmpty();
    }

    @Test
    void a_wait_never_ends_before_the_view_has_reached_the_position() throws InterruptedException, SQLException {
        Tally tally = new Tally("tally");
        ProjectionRunner here = instances.start(DEFAULTS, tally);
        ProjectionRunner there = instances.start(DEFAULTS, tally);
        for (int i = 0; i < 20; i++) {
            Position last = instances.count(1);
            ProjectionRunner each = i % 2 == 0 ? here : there;
            ViewAt<List<Long>> read = each.views().read(tally, last, Tally::positions);
            assertThat(read.found()).contains(last.value());
            assertThat(read.position().value()).isGreaterThanOrEqualTo(last.value());
        }
    }

    /* Each query is sent between two others. */
    @Test
    void a_look_up_may_have_no_query_or_a_stream_and_a_query_may_end_with_a_comment() {
        Tally tally = new Tally("tally");
        ProjectionRunner runner = instances.start(DEFAULTS, tally);
        Position last = instances.count(3);

        assertThat(runner.views().read(tally, last, tables -> true).position()).isEqualTo(last);
        assertThat(runner.views()
                        .read(
                                tally,
                                last,
                                tables -> tables
                                        .sql("select position from ${schema}.tally order by 1 -- all")
                                        .query((row, number) -> row.getLong(1))
                                        .stream()
                                        .toList())
                        .found())
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    void the_latest_read_has_every_event_that_was_appended_before_it() {
        Tally tally = new Tally("tally");
        ProjectionRunner here = instances.start(DEFAULTS, tally);
        ProjectionRunner there = instances.start(DEFAULTS, tally);
        for (int i = 0; i < 20; i++) {
            Position last = instances.count(1);
            ProjectionRunner each = i % 2 == 0 ? here : there;
            ViewAt<List<Long>> read = each.views().readLatest(tally, Tally::positions);
            assertThat(read.found()).contains(last.value());
            assertThat(read.position().value()).isGreaterThanOrEqualTo(last.value());
        }
    }

    @Test
    void the_latest_read_of_a_paused_view_fails_as_soon_as_the_view_lacks_an_event() {
        Tally tally = new Tally("tally");
        ProjectionRunner runner = instances.start(QUICK, tally);
        assertThat(runner.views().readLatest(tally, Tally::positions).found()).isEmpty();
        runner.administration().pause("tally");
        Position other = Instances.append(instances.store, Event.of("Other", List.of(new Tag("other:1")), "{}"));

        assertThat(runner.views().readLatest(tally, Tally::positions).position())
                .isEqualTo(other);
        Position lacking = instances.count(1);
        assertThatThrownBy(() -> runner.views().readLatest(tally, Tally::positions))
                .isInstanceOf(ViewBehindException.class)
                .hasMessageContaining("is paused at position 0 and does not have position %s", lacking);
    }

    /* Such as one that lacks a privilege there. */
    @Test
    void the_primary_answers_a_query_that_fails_on_the_replica() {
        Tally tally = new Tally("tally");
        instances.start(QUICK, tally);
        Position last = instances.count(1);
        DataSource connections = instances.database.database().dataSource();
        MeterRegistry meters = new SimpleMeterRegistry();
        AtomicInteger queries = new AtomicInteger();
        try (ReadReplica replica = ReadReplica.open(
                        instances.database.address(),
                        StoreDatabase.settings(Map.of("read-connections", 2)),
                        instances.store,
                        meters);
                ProjectionRunner reading = ProjectionRunner.builder(connections, instances.store, List.of(tally))
                        .replica(connections, replica)
                        .build()) {
            await().until(() -> meters.get("registrar.replica.usable").gauge().value() == 1
                    && positions(reading, tally).equals(List.of(last.value())));

            ViewAt<List<Long>> read = reading.views().read(tally, last, tables -> {
                if (queries.incrementAndGet() == 1) {
                    tables.sql("select 1 / 0").query(Integer.class).single();
                }
                return Tally.positions(tables);
            });

            assertThat(read.found()).containsExactly(last.value());
            assertThat(queries).hasValue(2);
        }
    }

    @Test
    void a_wait_for_a_view_that_is_processed_here_reads_the_log_ten_times_a_second() throws InterruptedException {
        Thread waiting = Thread.currentThread();
        AtomicInteger reads = new AtomicInteger();
        EventStore counting = new ForwardingEventStore(instances.store) {
            @Override
            public EventStream read(Query query, ReadOptions options) {
                if (waiting.equals(Thread.currentThread())) {
                    reads.incrementAndGet();
                }
                return super.read(query, options);
            }
        };
        Semaphore begun = new Semaphore(0);
        Semaphore end = new Semaphore(0);
        Tally slow = new Tally("tally", 1, event -> {
            if (event.position().value() > 1) {
                begun.release();
                end.acquireUninterruptibly();
            }
        });
        ProjectionRunner runner = instances.start(counting, QUICK, slow);
        awaitPosition(runner, "tally", instances.count(1));
        Position last = instances.count(1);
        begun.acquire();
        reads.set(0);

        boolean seen = runner.views().waitFor("tally", last, Duration.ofMillis(500));
        int polls = reads.get();
        end.release();

        assertThat(seen).isFalse();
        assertThat(polls).isLessThanOrEqualTo(7);
        awaitPosition(runner, "tally", last);
    }
}
