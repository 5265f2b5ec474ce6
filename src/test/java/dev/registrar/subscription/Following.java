package dev.registrar.subscription;

import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.subscription.FeedSignal.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Somebody who listens to a feed, on a thread of their own, until the end. */
final class Following implements AutoCloseable {
    private final Listener listener;
    private final Queue<SequencedEvent> heard = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Reason end;

    Following(LiveFeed feed, Query query, Position after) {
        this.listener = feed.listen(query, after);
        Thread.ofVirtual().start(this::listen);
    }

    private void listen() {
        try {
            while (end == null) {
                switch (listener.next(Duration.ofSeconds(1))) {
                    case FeedSignal.News(var event) -> heard.add(event);
                    case FeedSignal.Silence() -> {}
                    case FeedSignal.End(var reason) -> end = reason;
                }
            }
        } catch (InterruptedException nobodyShould) {
            throw new IllegalStateException(nobodyShould);
        }
    }

    List<Long> positions() {
        return AppendsUnderWay.positions(heard);
    }

    @Nullable Reason end() {
        return end;
    }

    @Override
    public void close() {
        listener.close();
    }
}
