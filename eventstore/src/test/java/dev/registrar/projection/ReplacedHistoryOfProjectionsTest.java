package dev.registrar.projection;

import static dev.registrar.projection.Instances.QUICK;
import static dev.registrar.projection.Instances.awaitPosition;
import static dev.registrar.projection.Instances.positions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.ForwardingEventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Views and automations restart when the history that they followed is replaced. */
class ReplacedHistoryOfProjectionsTest extends ProjectionFixture {
    @Test
    void a_view_restarts_when_the_store_was_cleared() throws InterruptedException {
        Tally tally = new Tally("tally");
        ProjectionRunner runner = instances.start(QUICK, tally);
        awaitPosition(runner, "tally", instances.count(20));

        instances.database.clear();
        awaitPosition(runner, "tally", instances.count(2));

        assertThat(positions(runner, tally)).containsExactly(1L, 2L);
    }

    @Test
    void a_stopped_view_restarts_when_the_store_was_cleared() throws InterruptedException {
        AtomicBoolean repaired = new AtomicBoolean();
        Tally poisoned = new Tally("poisoned", 1, event -> {
            if (event.position().value() == 2 && !repaired.get()) {
                throw new IllegalArgumentException("two");
            }
        });
        ProjectionRunner runner = instances.start(QUICK, poisoned);
        instances.count(3);
        await().until(() -> runner.administration().status("poisoned").state().equals("stopped"));
        repaired.set(true);

        instances.database.clear();
        Position last = instances.count(4);

        awaitPosition(runner, "poisoned", last);
        assertThat(positions(runner, poisoned)).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void a_view_restarts_when_the_store_was_set_back() throws InterruptedException {
        Tally tally = new Tally("tally");
        ProjectionRunner runner = instances.start(QUICK, tally);
        awaitPosition(runner, "tally", instances.count(20));

        instances.database.setBackTo(5);
        awaitPosition(runner, "tally", Position.of(5));

        await().until(() -> positions(runner, tally).size() == 5);
    }

    @Test
    void the_latest_read_shows_no_event_that_the_store_has_lost() throws InterruptedException {
        Tally tally = new Tally("tally");
        ProjectionRunner runner = instances.start(QUICK, tally);
        awaitPosition(runner, "tally", instances.count(20));

        instances.database.setBackTo(5);

        List<Long> latest = await().ignoreException(ViewBehindException.class)
                .until(() -> runner.views().readLatest(tally, Tally::positions).found(), Objects::nonNull);
        assertThat(latest).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    /*
     * Events 3 to 5 are replaced by others at the same positions, under the same incarnation: only the id of the
     * checkpoint's event shows it.
     */
    @Test
    void a_view_restarts_when_its_events_were_replaced() {
        List<UUID> applied = new CopyOnWriteArrayList<>();
        Tally tally = new Tally("tally", 1, event -> applied.add(event.event().id()));
        ProjectionRunner runner = instances.start(QUICK, tally);
        instances.count(5);
        await().until(() -> applied.size() == 5);

        instances.database.replaceAfter(2);

        await().until(() -> applied.size() == 10);
        assertThat(applied.subList(5, 10)).isEqualTo(eventIds()).isNotEqualTo(applied.subList(0, 5));
        // Other sessions see the rows when the transaction has committed.
        await().until(() -> runner.administration().status("tally").events() == 5);
        assertThat(positions(runner, tally)).isEqualTo(instances.counted());
    }

    /*
     * While the view handles events 1 to 5, events 6 to 10 are read ahead; then they are replaced. The view applies the
     * lost ones, since it took them for the events after its checkpoint, and finds out at its next read.
     */
    @Test
    void a_view_restarts_when_the_events_that_were_read_ahead_were_replaced() throws InterruptedException {
        instances.countAtOnce(25);
        List<UUID> lost = eventIds();
        CountDownLatch readAhead = new CountDownLatch(1);
        CountDownLatch replaced = new CountDownLatch(1);
        EventStore noticed = new ForwardingEventStore(instances.store) {
            @Override
            public EventStream read(Query query, ReadOptions options) {
                EventStream events = super.read(query, options);
                if (Thread.currentThread().getName().equals("read-ahead") && events.hasNext()) {
                    readAhead.countDown();
                }
                return events;
            }
        };
        List<UUID> applied = new CopyOnWriteArrayList<>();
        Tally tally = new Tally("tally", 1, event -> {
            applied.add(event.event().id());
            if (event.position().value() == 5) {
                awaitUninterruptibly(replaced);
            }
        });
        ProjectionRunner runner = instances.start(noticed, Instances.quick(options -> options.batch = 5), tally);

        readAhead.await();
        instances.database.replaceAfter(5);
        replaced.countDown();

        await().until(() -> applied.size() == 35);
        assertThat(applied.subList(0, 10)).isEqualTo(lost.subList(0, 10));
        assertThat(applied.subList(10, 35)).isEqualTo(eventIds());
        awaitPosition(runner, "tally", Position.of(25));
        await().until(() -> runner.administration().status("tally").events() == 25);
        assertThat(positions(runner, tally)).isEqualTo(instances.counted());
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void a_stopped_view_restarts_when_its_events_were_replaced() throws InterruptedException {
        List<UUID> poison = new CopyOnWriteArrayList<>();
        Tally tally = new Tally("tally", 1, event -> {
            if (event.position().value() == 4 && poison.isEmpty()) {
                poison.add(event.event().id());
            }
            if (poison.contains(event.event().id())) {
                throw new IllegalArgumentException("four");
            }
        });
        ProjectionRunner runner = instances.start(QUICK, tally);
        instances.count(5);
        await().until(() -> runner.administration().status("tally").state().equals("stopped"));

        instances.database.replaceAfter(2);

        awaitPosition(runner, "tally", Position.of(5));
        assertThat(positions(runner, tally)).isEqualTo(instances.counted());
    }

    @Test
    void an_automation_restarts_when_its_events_were_replaced() {
        Reacting reacting = new Reacting(new CopyOnWriteArrayList<>());
        instances.start(QUICK, reacting);
        instances.count(5);
        await().until(() -> reacting.seen().size() == 5);

        instances.database.replaceAfter(2);

        await().until(() -> reacting.seen().size() == 10);
        assertThat(reacting.seen().subList(5, 10)).isEqualTo(eventIds());
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
}
