package dev.registrar.subscription;

import dev.registrar.AwaitilityTimeouts;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;

/** A feed on an in-memory store that a test can watch and replace. */
abstract class LiveFeedFixture {
    static final int MOST_LISTENERS = 300;
    static final int MOST_WAITING = 20;
    static final Duration AT_ONCE = Duration.ZERO;
    final InMemoryEventStore memory = new InMemoryEventStore();
    final WatchedStore store = new WatchedStore(memory);
    final AppendSignals signals = new AppendSignals(store);
    final LiveFeed feed = new LiveFeed(store, signals, new LiveOptions(MOST_LISTENERS, MOST_WAITING));

    @AfterEach
    void close() {
        feed.close();
        signals.close();
    }

    void note(String... tags) {
        memory.append(List.of(Event.of("Noted", "{}", tags)));
    }

    static Query tagged(String... tags) {
        return Query.of(QueryItem.tags(tags));
    }

    static long position(FeedSignal received) {
        return received instanceof FeedSignal.Delivery(var event)
                ? event.position().value()
                : -1;
    }

    static List<Long> next(Listener listener, int events) throws InterruptedException {
        List<Long> positions = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            positions.add(position(listener.next(AwaitilityTimeouts.MAX_WAIT)));
        }
        return positions;
    }

    static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }
}
