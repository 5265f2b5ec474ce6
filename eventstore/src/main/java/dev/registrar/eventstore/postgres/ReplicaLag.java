package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Position;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;

/** Whether a replica lacks what the primary had some time ago. Used by one thread, which compares them regularly. */
final class ReplicaLag {
    static final Duration LONGEST = Duration.ofSeconds(30);

    private final Queue<Seen> recent = new ArrayDeque<>();
    /** What the primary had before the recent comparisons. */
    private Position due = Position.START;

    private record Seen(Position primary, long at) {}

    /** @param now as of {@link System#nanoTime} */
    boolean isTooLong(Position replica, Position primary, long now) {
        recent.add(new Seen(primary, now));
        for (Seen first = recent.element(); now - first.at >= LONGEST.toNanos(); first = recent.element()) {
            due = first.primary;
            recent.remove();
        }
        // A history that has replaced another one may be shorter.
        return due.isAfter(replica) && !due.isAfter(primary);
    }
}
