package dev.registrar.subscription;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.SequencedEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * Events that a follower or a subscription has read after a head.
 *
 * @param end up to which no further event of the query is left
 * @param events in the order of their positions; empty if no event up to the end matches the query
 * @param isLast whether the end is the end of the log
 * @param readAt the position of the store's head when the read began: the events have the tags of that time, or later
 *     ones
 */
public record LogBatch(Head end, List<SequencedEvent> events, boolean isLast, Position readAt) {
    /**
     * Maximum number of characters in one batch: of payloads, metadata, types and tags, and a constant for each event.
     * A batch ends with the event that reaches it.
     */
    private static final long MOST_CHARACTERS = 4_000_000;

    /** What the objects of an event count beside its texts. */
    private static final int CHARACTERS_BESIDE_TEXT = 200;

    public LogBatch {
        events = List.copyOf(events);
    }

    /**
     * Takes a batch from a read, and closes the read.
     *
     * @param most maximum number of events, the same as the read's limit
     */
    public static LogBatch of(EventStream read, int most) {
        return of(read, most, MOST_CHARACTERS);
    }

    static LogBatch of(EventStream read, int most, long mostCharacters) {
        List<SequencedEvent> events = new ArrayList<>();
        long characters = 0;
        try (read) {
            while (characters < mostCharacters && events.size() < most && read.hasNext()) {
                SequencedEvent event = read.next();
                events.add(event);
                characters += characters(event.event());
            }
            boolean isLast = events.size() < most && characters < mostCharacters;
            Head head = read.head();
            return new LogBatch(isLast ? head : head.at(events.getLast()), events, isLast, head.position());
        }
    }

    private static long characters(Event event) {
        long tags = event.tags().stream().mapToLong(tag -> tag.value().length()).sum();
        return CHARACTERS_BESIDE_TEXT
                + event.type().length()
                + tags
                + event.payload().length()
                + event.metadata().length();
    }

    /** The batch up to one of its events, which is not its first one; without that event. */
    public LogBatch before(SequencedEvent event) {
        List<SequencedEvent> earlier = events.stream()
                .takeWhile(each -> event.position().isAfter(each.position()))
                .toList();
        return new LogBatch(end.at(earlier.getLast()), earlier, false, readAt);
    }
}
