package dev.registrar.projection;

import java.time.Duration;

/**
 * The options of views and automations: begin with {@link #defaults()} and change those that differ.
 *
 * @param enabled whether this instance runs views and automations; if not, it only reads and administers them
 * @param batch maximum number of a view's events in one transaction, 1 to 100,000; an automation has one
 * @param pause minimum pause between two reads of the store, 0 to 10 s; after a long transaction a follower pauses
 *     longer, up to 50 ms, so that events in quick succession share a transaction
 * @param longestPoll maximum time between two reads without a wake-up, 10 ms to 10 min
 * @param rebuildAtStart which views this instance rebuilds automatically
 * @param maxRebuilds maximum number of views that this instance rebuilds at a time, 1 to 100
 * @param attempts how many times an event is tried before it counts as one that cannot be handled, 1 to 1,000
 * @param retryAfter the pause after the first failure, 1 ms to 1 min; it doubles with each further failure, up to 1 min
 * @param onFailure what happens to an event that cannot be handled
 * @param longestWait how long a look-up waits for a view to reach a position, 1 ms to 1 min
 * @param lease how long an automation that reacts to an event stays with its instance if that instance is lost, 100 ms
 *     to 10 min; it is renewed while the reaction runs
 * @param skipUnreadableAfter the age of an event that cannot be read at which it is skipped, 0 to 10 min; until then it
 *     is left to other instances, whose code may be newer
 */
public record ProjectionOptions(
        boolean enabled,
        int batch,
        Duration pause,
        Duration longestPoll,
        RebuildAtStart rebuildAtStart,
        int maxRebuilds,
        int attempts,
        Duration retryAfter,
        OnFailure onFailure,
        Duration longestWait,
        Duration lease,
        Duration skipUnreadableAfter) {
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

    /**
     * Which views an instance rebuilds automatically. In any case, a view without tables is filled from the first
     * event, and a rebuild in progress continues.
     */
    public enum RebuildAtStart {
        /**
         * None. If the version of a view was raised, its tables stay as the older version left them until an operator
         * begins the rebuild.
         */
        NONE,
        /** Views whose tables an older version built. */
        OUTDATED,
        /** All views, once at each start of the instance, beside the live tables. */
        ALL
    }

    /** What happens to an event that a follower cannot handle. */
    public enum OnFailure {
        /** The follower stops at the event, until an operator resumes it or skips the event. */
        STOP,
        /** The event is recorded and skipped. */
        SKIP
    }

    public ProjectionOptions {
        check("batch", batch, 1, 100_000);
        check("pause", pause, Duration.ZERO, Duration.ofSeconds(10));
        check("longestPoll", longestPoll, Duration.ofMillis(10), TEN_MINUTES);
        check("maxRebuilds", maxRebuilds, 1, 100);
        check("attempts", attempts, 1, 1_000);
        check("retryAfter", retryAfter, MILLISECOND, MINUTE);
        check("longestWait", longestWait, MILLISECOND, MINUTE);
        check("lease", lease, Duration.ofMillis(100), TEN_MINUTES);
        check("skipUnreadableAfter", skipUnreadableAfter, Duration.ZERO, TEN_MINUTES);
    }

    private static <T extends Comparable<T>> void check(String name, T value, T least, T most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException("%s must be %s to %s but is %s".formatted(name, least, most, value));
        }
    }

    /**
     * Batches of 10,000 events, a poll after 2 s, rebuilds of outdated views (2 at a time), 5 attempts, a stop at an
     * event that cannot be handled, a wait of 2 s for a view, leases of 10 s, and a skip of an unreadable event when it
     * is 10 s old.
     */
    public static ProjectionOptions defaults() {
        return new ProjectionOptions(
                true,
                10_000,
                Duration.ofMillis(2),
                Duration.ofSeconds(2),
                RebuildAtStart.OUTDATED,
                2,
                5,
                Duration.ofMillis(100),
                OnFailure.STOP,
                Duration.ofSeconds(2),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10));
    }

    /* An automation reacts to one event under a lease. */
    int batchOf(Follower follower) {
        return switch (follower) {
            case View view -> batch;
            case Automation automation -> 1;
        };
    }

    /** The same options, with another maximum number of events in one transaction. */
    public ProjectionOptions withBatch(int events) {
        return new ProjectionOptions(
                enabled,
                events,
                pause,
                longestPoll,
                rebuildAtStart,
                maxRebuilds,
                attempts,
                retryAfter,
                onFailure,
                longestWait,
                lease,
                skipUnreadableAfter);
    }

    /** The same options, with another maximum time between two reads without a wake-up. */
    public ProjectionOptions withLongestPoll(Duration time) {
        return new ProjectionOptions(
                enabled,
                batch,
                pause,
                time,
                rebuildAtStart,
                maxRebuilds,
                attempts,
                retryAfter,
                onFailure,
                longestWait,
                lease,
                skipUnreadableAfter);
    }

    /** The same options, with another choice of the views that an instance rebuilds automatically. */
    public ProjectionOptions withRebuildAtStart(RebuildAtStart views) {
        return new ProjectionOptions(
                enabled,
                batch,
                pause,
                longestPoll,
                views,
                maxRebuilds,
                attempts,
                retryAfter,
                onFailure,
                longestWait,
                lease,
                skipUnreadableAfter);
    }

    /** The same options, with another number of attempts, first pause, and consequence after the last attempt. */
    public ProjectionOptions withRetries(int tries, Duration firstPause, OnFailure afterwards) {
        return new ProjectionOptions(
                enabled,
                batch,
                pause,
                longestPoll,
                rebuildAtStart,
                maxRebuilds,
                tries,
                firstPause,
                afterwards,
                longestWait,
                lease,
                skipUnreadableAfter);
    }

    /** The same options, with another lease of reactions. */
    public ProjectionOptions withLease(Duration time) {
        return new ProjectionOptions(
                enabled,
                batch,
                pause,
                longestPoll,
                rebuildAtStart,
                maxRebuilds,
                attempts,
                retryAfter,
                onFailure,
                longestWait,
                time,
                skipUnreadableAfter);
    }

    /** The same options, with another age at which an event that cannot be read is skipped. */
    public ProjectionOptions withSkipUnreadableAfter(Duration age) {
        return new ProjectionOptions(
                enabled,
                batch,
                pause,
                longestPoll,
                rebuildAtStart,
                maxRebuilds,
                attempts,
                retryAfter,
                onFailure,
                longestWait,
                lease,
                age);
    }

    /** The same options, for an instance that only reads and administers. */
    public ProjectionOptions readOnly() {
        return new ProjectionOptions(
                false,
                batch,
                pause,
                longestPoll,
                rebuildAtStart,
                maxRebuilds,
                attempts,
                retryAfter,
                onFailure,
                longestWait,
                lease,
                skipUnreadableAfter);
    }
}
