package dev.registrar.console.live;

import dev.registrar.eventstore.Position;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The seats that were sent last, for pages that connect again: each course once, in the order of the positions at which
 * they were read. Bounded; what was sent longer ago is forgotten. Not thread-safe.
 */
final class RecentSeats {
    /** Number of courses. A fragment has about 200 bytes. */
    private static final int MOST = 2_000;

    /**
     * The seats of a course.
     *
     * @param at the position at which they were read
     * @param event without an id
     * @param last the same event with the position as its id, for the last of several
     */
    record Sent(Position at, PageEvent event, PageEvent last) {}

    private final Map<String, Sent> sent = new LinkedHashMap<>();
    private Position complete;

    /**
     * Creates an empty memory.
     *
     * @param complete the position from which on all changes will be added
     */
    RecentSeats(Position complete) {
        this.complete = complete;
    }

    void add(String course, Sent seats) {
        sent.remove(course);
        sent.put(course, seats);
        if (sent.size() > MOST) {
            Iterator<Sent> each = sent.values().iterator();
            complete = each.next().at();
            each.remove();
        }
    }

    /** Records that all changes after a position are known, which may be earlier than was known before. */
    void completeFrom(Position position) {
        if (complete.isAfter(position)) {
            complete = position;
        }
    }

    /** The seats that changed after a position; empty if some of them are forgotten. */
    Optional<Map<String, Sent>> after(Position position) {
        if (complete.isAfter(position)) {
            return Optional.empty();
        }
        Map<String, Sent> later = new LinkedHashMap<>();
        sent.forEach((course, seats) -> {
            if (seats.at().isAfter(position)) {
                later.put(course, seats);
            }
        });
        return Optional.of(later);
    }
}
