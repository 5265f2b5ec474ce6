package dev.registrar.projection;

import static dev.registrar.projection.Instances.QUICK;
import static dev.registrar.projection.Instances.append;
import static dev.registrar.projection.Instances.awaitPosition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.ForwardingEventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When stored events get tags, the views whose queries name these start again, and all other followers go on. */
class RetaggedViewsTest extends ProjectionFixture {
    private static final Tag TERM = new Tag("term:2026");
    private static final Query OF_TERM = Query.of(QueryItem.tags(TERM.value()));
    private static final Query OTHERS = Query.of(QueryItem.types("Other"));

    /** A tally of another query. */
    private record Termed(Tally tally, Query query) implements View {
        @Override
        public String name() {
            return tally.name();
        }

        @Override
        public int version() {
            return tally.version();
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

    private record Reacting(List<Long> seen) implements Automation {
        @Override
        public String name() {
            return "reacting";
        }

        @Override
        public Query query() {
            return OF_TERM;
        }

        @Override
        public void react(SequencedEvent event) {
            seen.add(event.position().value());
        }
    }

    private record Publishing(List<Long> published) implements Relay {
        @Override
        public String name() {
            return "publishing";
        }

        @Override
        public Query query() {
            return OF_TERM;
        }

        @Override
        public int batch() {
            return 10;
        }

        @Override
        public int maxParked() {
            return 1;
        }

        @Override
        public @Nullable String key(SequencedEvent event) {
            return null;
        }

        @Override
        public Map<Position, String> publish(UUID incarnation, List<SequencedEvent> events) {
            events.forEach(event -> published.add(event.position().value()));
            return Map.of();
        }
    }

    private Position retag(Query query) {
        return Objects.requireNonNull(instances
                .store
                .retag(query, Set.of(TERM), Actor.of("issuer", "admin"), "ticket 17")
                .position());
    }

    private static List<Long> positions(ProjectionRunner runner, Termed view) {
        return runner.views().read(view, Position.START, Tally::positions).found();
    }

    @Test
    void a_view_that_names_the_tag_starts_again_and_others_automations_and_relays_go_on() throws InterruptedException {
        Termed termed = new Termed(new Tally("termed"), OF_TERM);
        Termed others = new Termed(new Tally("others"), OTHERS);
        Reacting reacting = new Reacting(new CopyOnWriteArrayList<>());
        Publishing publishing = new Publishing(new CopyOnWriteArrayList<>());
        ProjectionRunner runner = instances.start(QUICK, termed, others, reacting, publishing);
        append(instances.store, Event.of("Other", "{}"));
        Position last = append(instances.store, Event.of("Other", "{}", TERM.value()));
        awaitPosition(runner, "termed", last);
        awaitPosition(runner, "others", last);
        await().until(() -> reacting.seen().size() == 1);
        awaitPosition(runner, "publishing", last);

        Position added = retag(OTHERS);

        assertThat(runner.views().readLatest(termed, Tally::positions).found()).containsExactly(1L, 2L);
        awaitPosition(runner, "termed", added);
        Position next = append(instances.store, Event.of("Other", "{}", TERM.value()));
        awaitPosition(runner, "termed", next);
        awaitPosition(runner, "others", next);
        await().until(() -> reacting.seen().size() > 1);
        assertThat(reacting.seen()).containsExactly(2L, next.value());
        awaitPosition(runner, "publishing", next);
        assertThat(publishing.published()).containsExactly(2L, next.value());
        assertThat(positions(runner, termed)).containsExactly(1L, 2L, next.value());
        assertThat(positions(runner, others)).containsExactly(1L, 2L, next.value());
        assertThat(runner.administration().status("others").events()).isEqualTo(3);
    }

    @Test
    void a_view_without_threads_starts_again_once() {
        Termed termed = new Termed(new Tally("termed"), OF_TERM);
        ProjectionRunner runner = instances.notStarted(termed);
        append(instances.store, Event.of("Other", "{}"), Event.of("Other", "{}", TERM.value()));
        runner.catchUp();
        Position added = retag(OTHERS);

        assertThat(runner.processNext("termed")).isEqualTo(new BatchResult.Moved(Position.START));
        assertThat(runner.processNext("termed")).isEqualTo(new BatchResult.CaughtUp(added));
        assertThat(runner.processNext("termed")).isEqualTo(new BatchResult.CaughtUp(added));
        assertThat(positions(runner, termed)).containsExactly(1L, 2L);
    }

    /*
     * While the view handles events 1 to 5, events 6, 7, 9, 10 and 11 are read ahead. Then event 8 gets the tag. The view
     * starts again, and the batch that was read ahead still follows the fifth event: without a look at when it was read,
     * the view would take it, without event 8.
     */
    @Test
    void a_batch_that_was_read_ahead_before_the_tag_was_added_is_not_used() throws InterruptedException {
        List<Event> history = new ArrayList<>();
        for (int i = 1; i <= 25; i++) {
            history.add(i == 8 ? Event.of("Other", "{}") : Instances.event());
        }
        append(instances.store, history.toArray(Event[]::new));
        CountDownLatch readAhead = new CountDownLatch(1);
        CountDownLatch added = new CountDownLatch(1);
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
        Tally tally = new Tally("termed", 1, event -> {
            if (event.position().value() == 5) {
                awaitUninterruptibly(added);
            }
        });
        Termed termed = new Termed(
                tally, Query.of(QueryItem.types(Tally.COUNTED), OF_TERM.items().getFirst()));
        ProjectionRunner runner = instances.start(noticed, Instances.quick(options -> options.batch = 5), termed);

        readAhead.await();
        Position last = retag(OTHERS);
        added.countDown();

        await().until(() -> positions(runner, termed).size() == 25);
        awaitPosition(runner, "termed", last);
        assertThat(positions(runner, termed)).contains(8L).hasSize(25);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
