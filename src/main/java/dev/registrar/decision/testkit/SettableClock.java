package dev.registrar.decision.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until a test moves it. Safe for use by any number of threads. */
public final class SettableClock implements InstantSource {
    private volatile Instant now;

    /** A clock that shows an instant. */
    public SettableClock(Instant start) {
        this.now = start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    /** Shows another instant from now on, earlier or later. */
    public void set(Instant instant) {
        now = instant;
    }

    /** Moves the clock on by a duration, or back by a negative one. */
    public synchronized void advance(Duration duration) {
        now = now.plus(duration);
    }
}
