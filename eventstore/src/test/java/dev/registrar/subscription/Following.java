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

/** A listener on a virtual thread of its own, which keeps the events that it receives. */
final class Following implements AutoCloseable {
    private final Listener listener;
    private final Queue<SequencedEvent> received = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Reason end;

    Following(LiveFeed feed, Query query, Position after) {
        this.listener = feed.listen(query, after);
        Thread.ofVirtual().start(this::listen);
    }

    private void listen() {
        try {
            while (end == null) {
                switch (listener.next(Duration.ofSeconds(1))) {
                    case FeedSignal.Delivery(var event) -> received.add(event);
                    case FeedSignal.Idle() -> {}
                    case FeedSignal.End(var reason) -> end = reason;
                }
            }
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    List<Long> positions() {
        return AppendsUnderWay.positions(received);
    }

    @Nullable Reason end() {
        return end;
    }

    @Override
    public void close() {
        listener.close();
    }
}
