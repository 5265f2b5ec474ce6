package dev.registrar.subscription;

import java.time.Duration;

/** How long a reader waits for a store that fails: twice as long each time, up to a bound. */
record RetryPause(Duration duration) {
    static final RetryPause FIRST = new RetryPause(Duration.ofMillis(100));

    private static final Duration LONGEST = Duration.ofSeconds(5);

    RetryPause next() {
        Duration twice = duration.multipliedBy(2);
        return new RetryPause(twice.compareTo(LONGEST) < 0 ? twice : LONGEST);
    }
}
