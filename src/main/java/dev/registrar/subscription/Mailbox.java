package dev.registrar.subscription;

import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.subscription.FeedSignal.Reason;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The events that wait for one listener, in the order of their positions, each once: at most so many, and of
 * {@value #MOST_CHARACTERS} characters of payloads and metadata, unless it is one event.
 */
final class Mailbox {
    static final long MOST_CHARACTERS = 16 << 20;

    private static final FeedSignal SILENCE = new FeedSignal.Silence();

    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<SequencedEvent> waiting = new ArrayDeque<>(1);
    private long characters;
    private Position last = Position.START;
    private volatile @Nullable Reason ended;

    Mailbox(int most) {
        this.most = most;
    }

    /** Takes only later events from now on. */
    void skipTo(Position position) {
        lock.lock();
        try {
            last = position;
        } finally {
            lock.unlock();
        }
    }

    /** Takes an event, or ends where it would be one too many. */
    void offer(SequencedEvent event) {
        lock.lock();
        try {
            if (ended != null || !event.position().isAfter(last)) {
                return;
            }
            long size = characters(event);
            if (waiting.size() == most || (!waiting.isEmpty() && characters + size > MOST_CHARACTERS)) {
                end(Reason.TOO_SLOW);
                return;
            }
            last = event.position();
            waiting.add(event);
            characters += size;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private static long characters(SequencedEvent event) {
        return (long) event.event().payload().length()
                + event.event().metadata().length();
    }

    /** The next event as soon as there is one. */
    FeedSignal next(Duration atMost) throws InterruptedException {
        long left = atMost.toNanos();
        lock.lockInterruptibly();
        try {
            while (ended == null && waiting.isEmpty()) {
                if (left <= 0) {
                    return SILENCE;
                }
                left = changed.awaitNanos(left);
            }
            Reason reason = ended;
            if (reason != null) {
                return new FeedSignal.End(reason);
            }
            SequencedEvent event = waiting.remove();
            characters -= characters(event);
            return new FeedSignal.News(event);
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more; what waits is forgotten. The first reason counts. */
    void end(Reason reason) {
        lock.lock();
        try {
            if (ended == null) {
                ended = reason;
                waiting.clear();
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isEnded() {
        return ended != null;
    }

    /** Why it has ended; null if it has not. */
    @Nullable Reason reason() {
        return ended;
    }
}
