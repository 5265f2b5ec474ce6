package dev.registrar.projection;

import static dev.registrar.projection.Instances.awaitPosition;
import static dev.registrar.projection.Instances.positions;
import static dev.registrar.projection.Instances.quick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.ForwardingEventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.ProjectionOptions.RebuildAtStart;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several views that are behind share the reads of the log, but nothing else. */
class ViewsTogetherTest {
    private static final int EVENTS = 200;
    private static final int BATCH = 20;
    private static final int BATCHES = EVENTS / BATCH;

    private final AtomicInteger reads = new AtomicInteger();
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private Instances instances;

    @BeforeEach
    void open() {
        instances = new Instances();
    }

    @AfterEach
    void close() {
        goesOn.countDown();
        instances.close();
    }

    /* Counts the reads of batches, except those that find no event. */
    private EventStore counting() {
        return new ForwardingEventStore(instances.store) {
            @Override
            public EventStream read(Query query, ReadOptions options) {
                EventStream events = super.read(query, options);
                if (Long.valueOf(BATCH).equals(options.limit()) && events.hasNext()) {
                    reads.incrementAndGet();
                }
                return events;
            }
        };
    }

    private ProjectionRunner start(Tally... views) {
        return instances.start(counting(), quick(options -> options.batch = BATCH), views);
    }

    @Test
    void five_views_that_are_behind_read_the_log_about_once() throws InterruptedException {
        Position last = instances.countAtOnce(EVENTS);
        List<Tally> views = List.of(new Tally("a"), new Tally("b"), new Tally("c"), new Tally("d"), new Tally("e"));

        ProjectionRunner runner = start(views.toArray(Tally[]::new));
        for (Tally view : views) {
            awaitPosition(runner, view.name(), last);
        }

        // Separate reads would be 5 times as many. On a busy machine a view may miss some shared reads.
        assertThat(reads.get()).isBetween(BATCHES, 3 * BATCHES);
        for (Tally view : views) {
            assertThat(positions(runner, view)).isEqualTo(instances.counted());
        }
    }

    @Test
    void a_hanging_view_and_a_failing_view_block_no_other() throws InterruptedException {
        Position last = instances.countAtOnce(EVENTS);
        Tally hanging = new Tally("hanging", 1, event -> {
            if (event.position().value() == 30) {
                awaitUninterruptibly(goesOn);
            }
        });
        Tally failing = new Tally("failing", 1, event -> {
            if (event.position().value() == 30) {
                throw new IllegalStateException("cannot");
            }
        });
        Tally well = new Tally("well");

        ProjectionRunner runner = start(hanging, failing, well);
        awaitPosition(runner, "well", last);
        await().until(() -> runner.administration().status("failing").isStopped());

        assertThat(positions(runner, well)).isEqualTo(instances.counted());
        assertThat(positions(runner, failing)).hasSize(29);
        assertThat(positions(runner, hanging)).hasSize(BATCH);
        goesOn.countDown();
        awaitPosition(runner, "hanging", last);
        assertThat(positions(runner, hanging)).isEqualTo(instances.counted());
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /* Neither of the two is ever a batch ahead of the other, so neither reads a batch that the other has read. */
    @Test
    void rebuilds_at_the_same_pace_read_the_log_once() throws InterruptedException {
        Position last = instances.countAtOnce(EVENTS);
        CyclicBarrier pace = new CyclicBarrier(2);
        AtomicBoolean rebuilding = new AtomicBoolean();
        Consumer<SequencedEvent> look = event -> {
            if (rebuilding.get() && event.position().value() % BATCH == 1) {
                keep(pace);
            }
        };
        Tally a = new Tally("a", 1, look);
        Tally b = new Tally("b", 1, look);
        ProjectionRunner first = start(a, b);
        awaitPosition(first, "a", last);
        awaitPosition(first, "b", last);
        instances.close(first);
        rebuilding.set(true);
        reads.set(0);

        ProjectionRunner second = instances.start(
                counting(),
                quick(options -> {
                    options.batch = BATCH;
                    options.rebuildAtStart = RebuildAtStart.ALL;
                }),
                a,
                b);
        await().until(() -> second.administration().statuses().stream()
                .allMatch(status -> status.rebuild().isEmpty()));

        assertThat(reads.get()).isBetween(BATCHES, BATCHES + 1);
        assertThat(positions(second, a)).isEqualTo(instances.counted());
        assertThat(positions(second, b)).isEqualTo(instances.counted());
    }

    /* The view is in its first batch, and the second one is being read ahead. */
    @Test
    void a_runner_that_closes_waits_for_what_its_views_read_ahead() throws InterruptedException {
        instances.countAtOnce(EVENTS);
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch readsOn = new CountDownLatch(1);
        AtomicBoolean hasRead = new AtomicBoolean();
        EventStore held = new ForwardingEventStore(instances.store) {
            @Override
            public EventStream read(Query query, ReadOptions options) {
                if (!Thread.currentThread().getName().equals("read-ahead")) {
                    return super.read(query, options);
                }
                reading.countDown();
                awaitUninterruptibly(readsOn);
                EventStream events = super.read(query, options);
                hasRead.set(true);
                return events;
            }
        };
        Tally tally = new Tally("tally", 1, event -> awaitUninterruptibly(goesOn));
        ProjectionRunner runner = instances.start(held, quick(options -> options.batch = BATCH), tally);
        reading.await();

        Thread closing = Thread.ofPlatform().start(() -> instances.close(runner));
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
        goesOn.countDown();

        assertThat(closing.join(Duration.ofMillis(200))).isFalse();
        readsOn.countDown();
        closing.join();
        assertThat(hasRead).isTrue();
    }

    private static void keep(CyclicBarrier pace) {
        try {
            pace.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
