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
 * The events that wait for one listener, in the order of their positions, without duplicates. It is bounded by a number
 * of events, and by {@value #MOST_CHARACTERS} characters of payloads and metadata; a single event may have more.
 */
final class Mailbox {
    static final long MOST_CHARACTERS = 16 << 20;

    private static final FeedSignal IDLE = new FeedSignal.Idle();

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

    /** Ignores events up to a position. */
    void skipTo(Position position) {
        lock.lock();
        try {
            last = position;
        } finally {
            lock.unlock();
        }
    }

    /** Adds an event; ends the mailbox if the event exceeds a bound. */
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

    /** Ends the mailbox, unless its listener has begun after an event. */
    void endAt(SequencedEvent event, Reason reason) {
        lock.lock();
        try {
            if (event.position().isAfter(last)) {
                end(reason);
            }
        } finally {
            lock.unlock();
        }
    }

    private static long characters(SequencedEvent event) {
        return (long) event.event().payload().length()
                + event.event().metadata().length();
    }

    /** Waits for the next event and takes it. */
    FeedSignal next(Duration atMost) throws InterruptedException {
        long left = atMost.toNanos();
        lock.lockInterruptibly();
        try {
            while (ended == null && waiting.isEmpty()) {
                if (left <= 0) {
                    return IDLE;
                }
                left = changed.awaitNanos(left);
            }
            Reason reason = ended;
            if (reason != null) {
                return new FeedSignal.End(reason);
            }
            SequencedEvent event = waiting.remove();
            characters -= characters(event);
            return new FeedSignal.Delivery(event);
        } finally {
            lock.unlock();
        }
    }

    /** Ends the mailbox and drops its events. Later calls do not change the reason. */
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
}
