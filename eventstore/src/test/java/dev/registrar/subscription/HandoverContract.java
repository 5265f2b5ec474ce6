package dev.registrar.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * The handover from stored to new events, on each store: followers that start at different positions during concurrent
 * appends receive every event once and in order.
 */
@ExtendWith(OutputCaptureExtension.class)
abstract class HandoverContract {
    private static final long SEED = 20_26;
    private static final int FOLLOWERS = 30;
    private static final Duration LONG_ENOUGH = Duration.ofMinutes(2);

    private final RandomGenerator random =
            RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);

    abstract EventStore store();

    @Test
    void a_handler_that_throws_ends_its_subscription_with_a_line_and_its_trace_in_the_log(CapturedOutput output) {
        EventStore store = store();
        try (AppendSignals signals = AppendSignals.of(store);
                Subscriptions subscriptions = new Subscriptions(store, signals)) {
            store.append(List.of(Event.of("Noted", "{}")));

            Subscription subscription = subscriptions.subscribe(Query.all(), Position.START, event -> {
                throw new NoClassDefFoundError("gone/Missing");
            });

            await().until(subscription.ended()::isCompletedExceptionally);
            await().untilAsserted(() -> assertThat(output.toString())
                    .contains(
                            "A subscription has ended at position "
                                    + store.head().position(),
                            "gone/Missing",
                            "HandoverContract.java"));
        }
    }

    private record Begun<T>(T follower, Query query, Position after) {}

    @Test
    void many_subscriptions_receive_every_event_once_during_appends() throws InterruptedException {
        EventStore store = store();
        List<Begun<Queue<SequencedEvent>>> all = new ArrayList<>();
        try (AppendSignals signals = AppendSignals.of(store);
                Subscriptions subscriptions = new Subscriptions(store, signals)) {
            AppendsUnderWay appends = new AppendsUnderWay(store);
            for (int i = 0; i < FOLLOWERS; i++) {
                Query query = AppendsUnderWay.query(i);
                Position after = somewhere(store);
                Queue<SequencedEvent> received = new ConcurrentLinkedQueue<>();
                subscriptions.subscribe(query, after, received::add);
                all.add(new Begun<>(received, query, after));
            }
            appends.stop();
            for (Begun<Queue<SequencedEvent>> begun : all) {
                List<Long> expected = AppendsUnderWay.expected(store, begun.query(), begun.after());
                await().atMost(LONG_ENOUGH)
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(10))
                        .until(() -> begun.follower().size() >= expected.size());
                assertThat(AppendsUnderWay.positions(begun.follower())).isEqualTo(expected);
            }
        }
    }

    @Test
    void many_listeners_receive_every_event_once_during_appends() throws InterruptedException {
        EventStore store = store();
        List<Begun<Following>> all = new ArrayList<>();
        try (AppendSignals signals = AppendSignals.of(store);
                LiveFeed feed = new LiveFeed(store, signals, new LiveOptions(FOLLOWERS, 100_000))) {
            AppendsUnderWay appends = new AppendsUnderWay(store);
            for (int i = 0; i < FOLLOWERS; i++) {
                Query query = AppendsUnderWay.query(i);
                Position after = somewhere(store);
                all.add(new Begun<>(new Following(feed, query, after), query, after));
            }
            appends.stop();
            for (Begun<Following> begun : all) {
                List<Long> expected = AppendsUnderWay.expected(store, begun.query(), begun.after());
                await().atMost(LONG_ENOUGH)
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(10))
                        .until(() -> begun.follower().positions().size() >= expected.size());
                assertThat(begun.follower().positions()).isEqualTo(expected);
                assertThat(begun.follower().end()).isNull();
            }
        }
    }

    @Test
    void a_listener_that_reads_a_long_history_is_not_dropped_as_too_slow() {
        EventStore store = store();
        for (int i = 0; i < 20; i++) {
            store.append(IntStream.range(0, 100)
                    .mapToObj(number -> Event.of("Noted", "{}", "group:0"))
                    .toList());
        }
        try (AppendSignals signals = AppendSignals.of(store);
                LiveFeed feed = new LiveFeed(store, signals, new LiveOptions(10, 10));
                Following other = new Following(feed, AppendsUnderWay.query(1), Position.START);
                Following following = new Following(feed, AppendsUnderWay.query(0), Position.START)) {

            await().atMost(LONG_ENOUGH)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> following.positions().size() >= 2_000);
            store.append(List.of(Event.of("Noted", "{}", "group:0")));

            await().atMost(LONG_ENOUGH)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> following.positions().size() >= 2_001);
            assertThat(following.positions())
                    .isEqualTo(AppendsUnderWay.expected(store, AppendsUnderWay.query(0), Position.START));
            assertThat(other.positions()).isEmpty();
        }
    }

    /* At the start, at the end, or between them. */
    private Position somewhere(EventStore store) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(4));
        long head = store.head().position().value();
        return Position.of(
                switch (random.nextInt(3)) {
                    case 0 -> 0;
                    case 1 -> head;
                    default -> random.nextLong(head + 1);
                });
    }
}
