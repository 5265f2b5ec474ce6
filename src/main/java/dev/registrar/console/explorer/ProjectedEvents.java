package dev.registrar.console.explorer;

import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.SequencedEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The last events that match a query, folded: how many of each type, and when they were appended.
 *
 * @param types in the order of their names; at most {@value #MOST_TYPES}
 * @param otherTypes the number of types that are left out
 * @param times the time from the first to the last of these events, in parts of the same length
 * @param events the number of events that were folded
 * @param from the position of the first one; null if there is none
 * @param searchedTo the lowest position that was looked at; null if every event was, or if the maximum was reached
 * @param cut whether the maximum was reached and earlier events match, too
 */
record ProjectedEvents(
        List<OfType> types,
        int otherTypes,
        List<Part> times,
        long events,
        @Nullable Long from,
        @Nullable Long searchedTo,
        boolean cut) {
    /** Maximum number of events that are folded. */
    static final int MOST = 5_000;

    static final int MOST_TYPES = 50;

    /** Maximum number of parts of the time; each takes a second or more. */
    private static final int PARTS = 12;

    /** What is kept of an event, however large it is. */
    record Seen(String type, Position position, Instant recordedAt) {
        static Seen of(SequencedEvent event) {
            return new Seen(Visible.line(event.event().type()), event.position(), event.recordedAt());
        }
    }

    /**
     * The events of one type.
     *
     * @param known the number of events up to the position that a decision has read
     * @param later the number of events after it
     * @param last the last event
     */
    record OfType(String type, long known, long later, long last, Instant lastAt) {
        private static OfType of(Seen event, boolean isLater) {
            return new OfType(
                    event.type(),
                    isLater ? 0 : 1,
                    isLater ? 1 : 0,
                    event.position().value(),
                    event.recordedAt());
        }

        private OfType and(OfType earlier) {
            return new OfType(type, known + earlier.known, later + earlier.later, last, lastAt);
        }
    }

    /**
     * A part of the time.
     *
     * @param most the number of events in the fullest part
     */
    record Part(Instant from, Instant to, long events, long most) {}

    /**
     * Folds events.
     *
     * @param backwards from the last event to the first; at most {@link #MOST}
     * @param after the position up to which a decision has read
     * @param next the position at which the search would continue; null if it looked at all events
     */
    static ProjectedEvents of(List<Seen> backwards, Position after, @Nullable Position next) {
        Map<String, OfType> types = new TreeMap<>();
        for (Seen event : backwards) {
            types.merge(event.type(), OfType.of(event, event.position().isAfter(after)), OfType::and);
        }
        List<OfType> shown = types.values().stream().limit(MOST_TYPES).toList();
        boolean cut = next != null && backwards.size() >= MOST;
        return new ProjectedEvents(
                shown,
                types.size() - shown.size(),
                parts(backwards.stream().map(Seen::recordedAt).toList()),
                backwards.size(),
                backwards.isEmpty() ? null : backwards.getLast().position().value(),
                next == null || cut ? null : next.value() + 1,
                cut);
    }

    /* The store's clock may have been set back, so the times are not in order. */
    private static List<Part> parts(List<Instant> times) {
        if (times.isEmpty()) {
            return List.of();
        }
        Instant first = times.stream().min(Instant::compareTo).orElseThrow();
        Instant last = times.stream().max(Instant::compareTo).orElseThrow();
        Duration whole = Duration.between(first, last);
        int number = (int) Math.min(whole.toSeconds(), PARTS);
        if (number < 2) {
            return List.of(new Part(first, last, times.size(), times.size()));
        }
        long[] counts = new long[number];
        for (Instant time : times) {
            long part = Duration.between(first, time).multipliedBy(number).dividedBy(whole);
            counts[(int) Math.min(part, number - 1)]++;
        }
        long most = Arrays.stream(counts).max().orElse(0);
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            parts.add(new Part(
                    first.plus(whole.multipliedBy(i).dividedBy(number)),
                    first.plus(whole.multipliedBy(i + 1L).dividedBy(number)),
                    counts[i],
                    most));
        }
        return parts;
    }
}
