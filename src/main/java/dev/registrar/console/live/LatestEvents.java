package dev.registrar.console.live;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The events that wait for one page, at most one for each subject: a page that reads slowly receives only the latest
 * state. With more subjects than its bound, it receives one event instead, after which the page has to be loaded again.
 */
public final class LatestEvents implements PageSource {
    private static final String OVERFLOW = "";

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, PageEvent> waiting = new LinkedHashMap<>();
    private final int most;
    private final PageEvent overflow;
    private @Nullable String end;

    /**
     * Creates a source without events.
     *
     * @param most number of subjects whose events may wait
     * @param overflow the event instead of those of more subjects
     */
    public LatestEvents(int most, PageEvent overflow) {
        this.most = most;
        this.overflow = overflow;
    }

    /** Adds an event, which replaces the waiting event of the same subject. Never waits for the page. */
    public void offer(String subject, PageEvent event) {
        lock.lock();
        try {
            if (end == null) {
                waiting.remove(subject);
                waiting.put(subject, event);
                if (waiting.size() > most) {
                    waiting.clear();
                    waiting.put(OVERFLOW, overflow);
                }
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Adds the event that stands for all that the page has missed, instead of those that wait. */
    public void overflow() {
        lock.lock();
        try {
            waiting.clear();
            offer(OVERFLOW, overflow);
        } finally {
            lock.unlock();
        }
    }

    /** Ends the source after the events that wait. */
    public void end(String reason) {
        lock.lock();
        try {
            if (end == null) {
                end = reason;
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public PageSignal next(Duration atMost) throws InterruptedException {
        long left = atMost.toNanos();
        lock.lockInterruptibly();
        try {
            while (waiting.isEmpty() && end == null && left > 0) {
                left = changed.awaitNanos(left);
            }
            Iterator<PageEvent> events = waiting.values().iterator();
            if (events.hasNext()) {
                PageEvent first = events.next();
                events.remove();
                return new PageSignal.Delivery(first);
            }
            return end == null ? new PageSignal.Idle() : new PageSignal.End(end);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            waiting.clear();
            end("closed");
        } finally {
            lock.unlock();
        }
    }
}
