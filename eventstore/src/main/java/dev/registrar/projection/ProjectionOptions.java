package dev.registrar.projection;

import dev.registrar.options.Bounds;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The options of views and automations. Start from {@link #defaults()} or {@link #with}.
 *
 * @param enabled whether this instance runs views and automations; if not, it only reads and administers them
 * @param batch maximum number of a view's events in one transaction, 1 to 100,000; an automation or a relay has its own
 *     maximum
 * @param pause minimum pause between two reads of the store, 0 to 10 s; after a long transaction a follower pauses
 *     longer, up to 50 ms, so that events in quick succession share a transaction
 * @param longestPoll maximum time between two reads without a wake-up, 10 ms to 10 min
 * @param rebuildAtStart which views this instance rebuilds automatically
 * @param maxRebuilds maximum number of views that this instance rebuilds at a time, 1 to 100
 * @param attempts how many times an event is tried before it counts as one that cannot be handled, 1 to 1,000
 * @param retryAfter the pause after the first failure, 1 ms to 1 min; it doubles with each further failure, up to 1 min
 * @param onFailure what happens to an event that cannot be handled
 * @param longestWait how long a look-up waits for a view to reach a position, 1 ms to 1 min
 * @param maxSearches maximum number of searches in views at a time, 1 to 1,000, each with a connection
 * @param longestSearch how long a search may wait for its turn and run, 1 ms to 10 s
 * @param lease how long an automation or a relay that handles events stays with its instance if that instance is lost,
 *     100 ms to 10 min; it is renewed while the reaction runs
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
        int maxSearches,
        Duration longestSearch,
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
         * begins the rebuild. Until then, look-ups that need columns or tables of the new version fail with
         * {@link ViewBehindException}.
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
        Bounds.check("projections.batch", batch, 1, 100_000);
        Bounds.check("projections.pause", pause, Duration.ZERO, Duration.ofSeconds(10));
        Bounds.check("projections.longestPoll", longestPoll, Duration.ofMillis(10), TEN_MINUTES);
        Bounds.check("projections.maxRebuilds", maxRebuilds, 1, 100);
        Bounds.check("projections.attempts", attempts, 1, 1_000);
        Bounds.check("projections.retryAfter", retryAfter, MILLISECOND, MINUTE);
        Bounds.check("projections.longestWait", longestWait, MILLISECOND, MINUTE);
        Bounds.check("projections.maxSearches", maxSearches, 1, 1_000);
        Bounds.check("projections.longestSearch", longestSearch, MILLISECOND, Duration.ofSeconds(10));
        Bounds.check("projections.lease", lease, Duration.ofMillis(100), TEN_MINUTES);
        Bounds.check("projections.skipUnreadableAfter", skipUnreadableAfter, Duration.ZERO, TEN_MINUTES);
    }

    /**
     * Batches of 10,000 events, a poll after 2 s, rebuilds of outdated views (2 at a time), 5 attempts, a stop at an
     * event that cannot be handled, a wait of 2 s for a view, 4 searches at a time for 2 s each, leases of 10 s, and a
     * skip of an unreadable event when it is 10 s old.
     */
    public static ProjectionOptions defaults() {
        return new Builder().build();
    }

    /**
     * The default options, except for those that the caller assigns: {@code with(options -> options.batch = 100)}.
     *
     * @throws dev.registrar.options.InvalidOptionException if an option is out of range
     */
    public static ProjectionOptions with(Consumer<Builder> changes) {
        Builder builder = new Builder();
        changes.accept(builder);
        return builder.build();
    }

    int batchOf(Follower follower) {
        return switch (follower) {
            case View view -> batch;
            case Automation automation -> Math.min(batch, automation.batch());
            case Relay relay -> Math.min(batch, relay.batch());
        };
    }

    /** The options while they are assigned, each with its default until then. */
    public static final class Builder {
        public boolean enabled = true;
        public int batch = 10_000;
        public Duration pause = Duration.ofMillis(2);
        public Duration longestPoll = Duration.ofSeconds(2);
        public RebuildAtStart rebuildAtStart = RebuildAtStart.OUTDATED;
        public int maxRebuilds = 2;
        public int attempts = 5;
        public Duration retryAfter = Duration.ofMillis(100);
        public OnFailure onFailure = OnFailure.STOP;
        public Duration longestWait = Duration.ofSeconds(2);
        public int maxSearches = 4;
        public Duration longestSearch = Duration.ofSeconds(2);
        public Duration lease = Duration.ofSeconds(10);
        public Duration skipUnreadableAfter = Duration.ofSeconds(10);

        private Builder() {}

        private ProjectionOptions build() {
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
                    maxSearches,
                    longestSearch,
                    lease,
                    skipUnreadableAfter);
        }
    }
}
