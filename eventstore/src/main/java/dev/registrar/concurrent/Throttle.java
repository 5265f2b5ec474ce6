package dev.registrar.concurrent;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Permits something, such as a line in the log, at most once in an interval. Thread-safe. */
public final class Throttle {
    private final long interval;
    private final AtomicLong next = new AtomicLong(System.nanoTime());

    public Throttle(Duration interval) {
        this.interval = interval.toNanos();
    }

    /** Whether it is permitted now; if so, it is not permitted again for the interval. */
    public boolean tryAcquire() {
        long now = System.nanoTime();
        long permitted = next.get();
        return now - permitted >= 0 && next.compareAndSet(permitted, now + interval);
    }
}
