package dev.registrar.projection;

import static dev.registrar.projection.Instances.QUICK;
import static dev.registrar.projection.Instances.awaitPosition;
import static dev.registrar.projection.Instances.quick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A relay publishes events at least once and in order per key, and parks those that are refused. */
class RelayTest extends ProjectionFixture {
    private static final Actor OPERATOR = Actor.of("issuer", "ops");

    /** Another system in memory, which refuses the events at some positions. The key of an event is its first tag. */
    private static class Target implements Relay {
        final List<Long> published = new CopyOnWriteArrayList<>();
        final Set<UUID> incarnations = ConcurrentHashMap.newKeySet();
        final Set<Long> refused = ConcurrentHashMap.newKeySet();
        final AtomicInteger refusals = new AtomicInteger();
        final AtomicInteger outages = new AtomicInteger();
        private final int maxParked;

        Target(int maxParked, Long... refused) {
            this.maxParked = maxParked;
            this.refused.addAll(List.of(refused));
        }

        @Override
        public String name() {
            return "target";
        }

        @Override
        public Query query() {
            return Query.all();
        }

        @Override
        public int batch() {
            return 4;
        }

        @Override
        public int maxParked() {
            return maxParked;
        }

        @Override
        public @Nullable String key(SequencedEvent event) {
            return event.event().tags().stream()
                    .findFirst()
                    .map(Object::toString)
                    .orElse(null);
        }

        @Override
        public Map<Position, String> publish(UUID incarnation, List<SequencedEvent> events) {
            if (outages.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new PublisherUnavailableException("No connection", null);
            }
            incarnations.add(incarnation);
            Map<Position, String> answer = new HashMap<>();
            Set<String> waiting = new HashSet<>();
            for (SequencedEvent event : events) {
                String key = key(event);
                if (refused.contains(event.position().value())) {
                    refusals.incrementAndGet();
                    answer.put(event.position(), "Refused: " + event.position());
                    if (key != null) {
                        waiting.add(key);
                    }
                } else if (key == null || !waiting.contains(key)) {
                    published.add(event.position().value());
                }
            }
            return answer;
        }
    }

    /** Appends an event for each key, in one append; an empty key is none. */
    private Position append(String... keys) {
        return Instances.append(
                instances.store,
                List.of(keys).stream()
                        .map(key -> key.isEmpty() ? Event.of("Told", "{}") : Event.of("Told", "{}", key))
                        .toArray(Event[]::new));
    }

    private static List<Long> letters(ProjectionRunner runner) {
        return runner.administration().deadLetters("target", Position.START, 100).stream()
                .map(skip -> skip.position().value())
                .toList();
    }

    private List<String> settled() {
        return JdbcClient.create(instances.database.database().dataSource())
                .sql("""
                        select position || ' ' || settled || ' ' || settled_by
                        from registrar.projection_skips
                        where settled is not null
                        order by position""")
                .query((row, number) -> row.getString(1))
                .list();
    }

    @Test
    void a_relay_publishes_each_event_from_the_first_one_on() throws InterruptedException {
        append("a", "b", "", "a", "c");
        Target target = new Target(10);
        ProjectionRunner runner = instances.start(QUICK, target);

        awaitPosition(runner, "target", append("b"));

        assertThat(target.published).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(target.incarnations).containsExactly(instances.store.head().incarnation());
        assertThat(runner.administration().status("target").kind()).isEqualTo("relay");
    }

    /* Events 1 and 3 are of key a, and 1 is refused: also 6, in a later batch, waits for it. */
    @Test
    void a_refused_event_is_parked_with_the_later_ones_of_its_key_and_others_go_on() throws InterruptedException {
        Target target = new Target(10, 1L);
        ProjectionRunner runner = instances.start(quick(options -> options.attempts = 3), target);
        append("a", "b", "a", "");

        awaitPosition(runner, "target", append("b", "a", "c"));

        assertThat(target.published).containsExactly(2L, 4L, 5L, 7L);
        assertThat(target.refusals).hasValue(3);
        assertThat(runner.administration().deadLetters("target", Position.START, 100))
                .extracting(Skip::position, Skip::by, Skip::reason)
                .containsExactly(
                        tuple(Position.of(1), Skip.By.PARKED, "Refused: 1"),
                        tuple(Position.of(3), Skip.By.PARKED, "It waits for an earlier event of its key"),
                        tuple(Position.of(6), Skip.By.PARKED, "It waits for an earlier event of its key"));
        assertThat(runner.administration().status("target").deadLetters()).isEqualTo(3);
        assertThat(runner.administration().status("target").events()).isEqualTo(4);
    }

    @Test
    void a_retry_publishes_the_later_events_of_the_key_too_and_new_ones_follow() throws InterruptedException {
        Target target = new Target(10, 1L, 2L);
        ProjectionRunner runner = instances.start(QUICK, target);
        awaitPosition(runner, "target", append("a", "b", "a", "b"));
        target.refused.clear();

        assertThat(runner.administration().retry("target", Position.of(1), OPERATOR))
                .isEqualTo(2);
        awaitPosition(runner, "target", append("a", "b"));

        assertThat(target.published).containsExactly(1L, 3L, 5L);
        assertThat(letters(runner)).containsExactly(2L, 4L, 6L);
        assertThat(settled()).containsExactly("1 retried " + OPERATOR.json(), "3 retried " + OPERATOR.json());
    }

    @Test
    void a_retry_of_all_stops_at_each_key_that_is_still_refused() throws InterruptedException {
        Target target = new Target(20, 1L, 2L, 3L);
        ProjectionRunner runner = instances.start(QUICK, target);
        awaitPosition(runner, "target", append("a", "b", "", "a", "b", "a", "b", "a", "b"));
        target.refused.remove(1L);
        target.refused.remove(3L);

        assertThat(runner.administration().retryAll("target", null)).isEqualTo(5);

        assertThat(target.published).containsExactly(1L, 3L, 4L, 6L, 8L);
        assertThat(letters(runner)).containsExactly(2L, 5L, 7L, 9L);
    }

    /* Events of a million characters: refused ones are often large, and a thousand of them would fill the heap. */
    @Test
    void a_retry_publishes_few_large_events_together() throws InterruptedException {
        List<Integer> sizes = new CopyOnWriteArrayList<>();
        Target target = new Target(20, 1L, 2L, 3L, 4L, 5L, 6L) {
            @Override
            public int batch() {
                return 10;
            }

            @Override
            public Map<Position, String> publish(UUID incarnation, List<SequencedEvent> events) {
                sizes.add(events.size());
                return super.publish(incarnation, events);
            }
        };
        ProjectionRunner runner = instances.start(QUICK, target);
        Event large = Event.of("Told", "\"" + "x".repeat(1_000_000) + "\"");
        awaitPosition(runner, "target", Instances.append(instances.store, large, large, large));
        awaitPosition(runner, "target", Instances.append(instances.store, large, large, large));
        target.refused.clear();
        sizes.clear();

        assertThat(runner.administration().retryAll("target", null)).isEqualTo(6);

        assertThat(sizes).containsExactly(4, 2);
        assertThat(target.published).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    }

    @Test
    void a_discarded_event_lets_the_later_ones_of_its_key_be_retried() throws InterruptedException {
        Target target = new Target(10, 1L);
        ProjectionRunner runner = instances.start(QUICK, target);
        awaitPosition(runner, "target", append("a", "a"));
        ProjectionAdministration administration = runner.administration();
        assertThatThrownBy(() -> administration.retry("target", Position.of(2), OPERATOR))
                .isInstanceOf(NotRetryableException.class)
                .hasMessageContaining("the event at position 1 first");

        administration.discard("target", Position.of(1), OPERATOR);
        administration.retry("target", Position.of(2), OPERATOR);

        assertThat(target.published).containsExactly(2L);
        assertThat(settled()).containsExactly("1 discarded " + OPERATOR.json(), "2 retried " + OPERATOR.json());
        assertThatThrownBy(() -> administration.discard("target", Position.of(1), OPERATOR))
                .isInstanceOf(UnknownDeadLetterException.class);
        assertThatThrownBy(() -> administration.retry("target", Position.of(2), OPERATOR))
                .isInstanceOf(UnknownDeadLetterException.class);
    }

    /* Two events may be parked: the third of key a stops the relay before it publishes the event behind. */
    @Test
    void a_relay_with_as_many_parked_events_as_it_may_have_stops() throws InterruptedException {
        Target target = new Target(2, 1L);
        ProjectionRunner runner = instances.start(quick(options -> options.attempts = 2), target);
        Position last = append("a", "a", "a", "b");

        await().until(() -> runner.administration().status("target").isStopped());
        assertThat(letters(runner)).containsExactly(1L, 2L);
        assertThat(target.published).isEmpty();

        runner.administration().discard("target", Position.of(1), null);
        runner.administration().retryAll("target", null);
        runner.administration().resume("target");
        awaitPosition(runner, "target", last);
        assertThat(target.published).containsExactly(2L, 3L, 4L);
    }

    @Test
    void a_relay_whose_target_is_away_goes_on_when_it_is_back_and_parks_nothing() throws InterruptedException {
        Target target = new Target(10);
        target.outages.set(4);
        ProjectionRunner runner = instances.start(quick(options -> options.attempts = 2), target);

        awaitPosition(runner, "target", append("a", "b"));

        assertThat(target.outages).hasValue(0);
        assertThat(target.published).containsExactly(1L, 2L);
        assertThat(letters(runner)).isEmpty();
    }

    @Test
    void a_relay_publishes_a_new_history_from_its_beginning_and_forgets_what_was_parked() throws InterruptedException {
        Target target = new Target(10, 1L);
        ProjectionRunner runner = instances.start(QUICK, target);
        awaitPosition(runner, "target", append("a", "b"));
        target.refused.clear();

        instances.database.clear();
        awaitPosition(runner, "target", append("a"));

        assertThat(target.published).containsExactly(2L, 1L);
        assertThat(target.incarnations).hasSize(2);
        assertThat(letters(runner)).isEmpty();
    }

    /* The retry of an event takes the lease; the target appends an event of the same key meanwhile. */
    @Test
    void an_event_that_is_appended_during_a_retry_of_its_key_is_published_after_it() throws InterruptedException {
        AtomicInteger appended = new AtomicInteger();
        Target target = new Target(10, 1L);
        Relay appending = new ForwardingRelay(target) {
            @Override
            public Map<Position, String> publish(UUID incarnation, List<SequencedEvent> events) {
                if (target.refused.isEmpty() && appended.getAndIncrement() == 0) {
                    append("a");
                }
                return super.publish(incarnation, events);
            }
        };
        ProjectionRunner runner = instances.start(QUICK, appending);
        awaitPosition(runner, "target", append("a", "a"));
        target.refused.clear();

        runner.administration().retry("target", Position.of(1), OPERATOR);
        awaitPosition(runner, "target", Position.of(3));

        assertThat(target.published).containsExactly(1L, 2L, 3L);
    }

    private static class ForwardingRelay implements Relay {
        private final Target target;

        ForwardingRelay(Target target) {
            this.target = target;
        }

        @Override
        public String name() {
            return target.name();
        }

        @Override
        public Query query() {
            return target.query();
        }

        @Override
        public int batch() {
            return target.batch();
        }

        @Override
        public int maxParked() {
            return target.maxParked();
        }

        @Override
        public @Nullable String key(SequencedEvent event) {
            return target.key(event);
        }

        @Override
        public Map<Position, String> publish(UUID incarnation, List<SequencedEvent> events) {
            return target.publish(incarnation, events);
        }
    }

    /** Fails at the first event until it is repaired. */
    private record Fragile(List<Long> handled, AtomicInteger failures) implements Automation {
        @Override
        public String name() {
            return "target";
        }

        @Override
        public Query query() {
            return Query.all();
        }

        @Override
        public void react(SequencedEvent event) {
            if (event.position().value() == 1 && failures.getAndDecrement() > 0) {
                throw new IllegalStateException("broken");
            }
            handled.add(event.position().value());
        }
    }

    @Test
    void a_skipped_event_of_an_automation_can_be_retried() throws InterruptedException {
        Fragile fragile = new Fragile(new CopyOnWriteArrayList<>(), new AtomicInteger(2));
        ProjectionRunner runner = instances.start(
                quick(options -> {
                    options.attempts = 1;
                    options.onFailure = ProjectionOptions.OnFailure.SKIP;
                }),
                fragile);
        awaitPosition(runner, "target", append("a", "b"));
        ProjectionAdministration administration = runner.administration();

        assertThat(administration.retry("target", Position.of(1), OPERATOR)).isZero();
        assertThat(administration.retry("target", Position.of(1), OPERATOR)).isEqualTo(1);

        assertThat(fragile.handled()).containsExactly(2L, 1L);
        assertThat(letters(runner)).isEmpty();
    }

    @Test
    void a_skipped_event_of_a_view_can_be_discarded_but_not_retried() throws InterruptedException {
        Tally poisoned = new Tally("target", 1, event -> {
            if (event.position().value() == 1) {
                throw new IllegalArgumentException("one");
            }
        });
        ProjectionRunner runner = instances.start(
                quick(options -> {
                    options.attempts = 1;
                    options.onFailure = ProjectionOptions.OnFailure.SKIP;
                }),
                poisoned);
        awaitPosition(runner, "target", instances.count(2));

        assertThatThrownBy(() -> runner.administration().retryAll("target", OPERATOR))
                .isInstanceOf(NotRetryableException.class);
        assertThat(letters(runner)).containsExactly(1L);
        runner.administration().discard("target", Position.of(1), OPERATOR);
        assertThat(letters(runner)).isEmpty();
    }
}
