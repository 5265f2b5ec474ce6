package dev.registrar.decision.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that changes only when a test sets it. Thread-safe. */
public final class SettableClock implements InstantSource {
    private volatile Instant now;

    /** Creates a clock at an instant. */
    public SettableClock(Instant start) {
        this.now = start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    /** Sets the clock to an earlier or later instant. */
    public void set(Instant instant) {
        now = instant;
    }

    /** Advances the clock by a duration; a negative duration sets it back. */
    public synchronized void advance(Duration duration) {
        now = now.plus(duration);
    }
}
