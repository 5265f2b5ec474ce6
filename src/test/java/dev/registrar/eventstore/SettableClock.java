package dev.registrar.eventstore;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until a test moves it. */
final class SettableClock implements InstantSource {
    private volatile Instant now = Instant.parse("2026-09-01T08:00:00.123456Z");

    @Override
    public Instant instant() {
        return now;
    }

    void set(Instant instant) {
        now = instant;
    }

    void advance(Duration duration) {
        now = now.plus(duration);
    }
}
