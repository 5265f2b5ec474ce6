package dev.registrar.console.explorer;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/** Pages of the events that match a query within a range of positions. Safe for use by any number of threads. */
@Component
final class EventPages {
    /** Maximum number of events of a page. */
    static final int MOST = 500;

    private static final Position UNBOUNDED = Position.of(Long.MAX_VALUE);
    private static final long FIRST_WINDOW = 16_384;
    private static final int WINDOW_GROWTH = 4;

    /** A page ends after the event with which its payloads and metadata have more characters. */
    private static final int LONGEST_PAGE = 1 << 20;

    private final ExplorerReads store;

    EventPages(ExplorerReads store) {
        this.store = store;
    }

    /**
     * A range of positions, and the order in which it is read.
     *
     * @param above the exclusive lower bound
     * @param upTo the inclusive upper bound
     */
    record Range(Position above, Position upTo, Direction direction) {
        /** All positions. */
        static Range all(Direction direction) {
            return new Range(Position.START, UNBOUNDED, direction);
        }

        boolean isEmpty() {
            return !upTo.isAfter(above);
        }

        /* The first positions of this range in reading direction. */
        private Range first(long positions) {
            if (upTo.value() - above.value() <= positions) {
                return this;
            }
            return switch (direction) {
                case FORWARDS -> new Range(above, Position.of(above.value() + positions), direction);
                case BACKWARDS -> new Range(Position.of(upTo.value() - positions), upTo, direction);
            };
        }

        /* The positions of this range behind its first part. */
        private Range behind(Range first) {
            return switch (direction) {
                case FORWARDS -> new Range(first.upTo, upTo, direction);
                case BACKWARDS -> new Range(above, first.above, direction);
            };
        }

        private ReadOptions options() {
            ReadOptions options = switch (direction) {
                case FORWARDS -> ReadOptions.forwards().after(above).to(upTo);
                case BACKWARDS -> ReadOptions.backwards().from(upTo).to(Position.of(above.value() + 1));
            };
            return options.forClient(true);
        }

        private Position beginning() {
            return switch (direction) {
                case FORWARDS -> Position.of(above.value() + 1);
                case BACKWARDS -> upTo;
            };
        }
    }

    /**
     * A page of the events that match a query within a range of positions, in reading order.
     *
     * @param head the store's head when the page was read
     * @param events what the caller keeps of each event
     * @param next the position at which the next page begins, in reading direction; empty if the range is searched to
     *     its end
     * @param outOfTime whether the search ended because its time was over; further events may match, or none
     */
    record EventPage<T>(Head head, List<T> events, Optional<Position> next, boolean outOfTime) {
        EventPage {
            events = List.copyOf(events);
        }
    }

    /**
     * Reads a page. The page may end before its number of events, if their payloads are large. A query may have to look
     * at many events of a frequent tag, of which few have its other tags or its types. Such a query goes through the
     * range in growing windows, and ends after the window in which its time is over.
     *
     * @param most the maximum number of events, 1 to {@value #MOST}
     * @param time after which no further window is searched
     * @param kept makes of each event what the page contains
     * @throws RefusedInputException if the query exceeds a limit of the store
     */
    <T> EventPage<T> page(Query query, Range range, int most, Duration time, Function<SequencedEvent, T> kept) {
        if (most < 1 || most > MOST) {
            throw new IllegalArgumentException(
                    "A page has 1 to %s events, but %s were requested".formatted(MOST, most));
        }
        Search<T> search = new Search<>(query, most, kept);
        return query.items().stream().allMatch(EventPages::isOneRangeOfAnIndex)
                ? search.page(search.in(range), range.behind(range), false)
                : pageInWindows(search, range, time);
    }

    private static boolean isOneRangeOfAnIndex(QueryItem item) {
        return item.tags().isEmpty() || (item.tags().size() == 1 && item.types().isEmpty());
    }

    private <T> EventPage<T> pageInWindows(Search<T> search, Range range, Duration time) {
        long started = System.nanoTime();
        Head head = store.head();
        Range left = new Range(
                range.above(),
                range.upTo().isAfter(head.position()) ? head.position() : range.upTo(),
                range.direction());
        long size = FIRST_WINDOW;
        while (!left.isEmpty() && !search.isFull()) {
            Range window = left.first(size);
            long begun = System.nanoTime();
            search.in(window);
            left = left.behind(window);
            long now = System.nanoTime();
            long remaining = time.toNanos() - (now - started);
            if (remaining <= 0) {
                return search.page(head, left, !left.isEmpty());
            }
            // As far as the remaining time allows, at the pace of the last window.
            double growth = (double) remaining / Math.max(1, now - begun);
            size = Math.max(FIRST_WINDOW, (long) (size * Math.min(WINDOW_GROWTH, growth)));
        }
        return search.page(head, left, false);
    }

    /** The events that a page has so far. */
    private final class Search<T> {
        private final Query query;
        private final int most;
        private final Function<SequencedEvent, T> kept;
        private final List<T> found = new ArrayList<>();
        private int length;
        private Optional<Position> next = Optional.empty();

        Search(Query query, int most, Function<SequencedEvent, T> kept) {
            this.query = query;
            this.most = most;
            this.kept = kept;
        }

        boolean isFull() {
            return next.isPresent();
        }

        /* Reads one event more than the page may have, to know whether there is a next page. */
        Head in(Range range) {
            try (EventStream events = store.read(query, range.options().limit(most - found.size() + 1L))) {
                while (events.hasNext()) {
                    SequencedEvent event = events.next();
                    if (found.size() == most || length > LONGEST_PAGE) {
                        next = Optional.of(event.position());
                        break;
                    }
                    found.add(kept.apply(event));
                    length += length(event.event());
                }
                return events.head();
            }
        }

        private static int length(Event event) {
            return event.payload().length() + event.metadata().length();
        }

        EventPage<T> page(Head head, Range left, boolean outOfTime) {
            if (next.isPresent()) {
                return new EventPage<>(head, found, next, false);
            }
            return new EventPage<>(
                    head, found, outOfTime ? Optional.of(left.beginning()) : Optional.empty(), outOfTime);
        }
    }
}
