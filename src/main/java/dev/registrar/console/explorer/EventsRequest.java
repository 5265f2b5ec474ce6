package dev.registrar.console.explorer;

import dev.registrar.console.explorer.EventPages.Range;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreLimits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * Which events a page of the explorer shows. Whatever was sent is kept, valid or not.
 *
 * @param from the lowest position, as it was typed; empty for the first event
 * @param to the highest position, as it was typed; empty for the last event
 * @param oldestFirst whether the page begins with the lowest position
 * @param at the position at which this page begins, in reading direction; null for the first page
 * @param live whether the page follows new events
 */
record EventsRequest(
        QueryForm form,
        String from,
        String to,
        boolean oldestFirst,
        @Nullable Position at,
        boolean live) {
    private static final String OLDEST = "oldest";

    static EventsRequest of(MultiValueMap<String, String> sent) {
        return new EventsRequest(
                QueryForm.of(sent),
                text(sent, "from"),
                text(sent, "to"),
                OLDEST.equals(sent.getFirst("order")),
                Positions.parse(text(sent, "at")),
                "on".equals(sent.getFirst("live")));
    }

    static String text(MultiValueMap<String, String> sent, String name) {
        String given = sent.getFirst(name);
        return given == null ? "" : given.strip();
    }

    /** Whether the page does not show all events, the newest first. */
    boolean isFiltered() {
        return !form.isEmpty() || !from.isEmpty() || !to.isEmpty() || oldestFirst;
    }

    /**
     * The query.
     *
     * @throws RefusedInputException with a sentence that says what is wrong with the form
     */
    Query query(StoreLimits limits, boolean showsTags) {
        if (!showsTags && form.hasTags()) {
            throw new RefusedInputException(
                    "Tags are shown to auditors only. Search again without them, or ask an auditor.");
        }
        return form.query(limits);
    }

    Direction direction() {
        return oldestFirst ? Direction.FORWARDS : Direction.BACKWARDS;
    }

    /**
     * The positions of this page and of all that follow.
     *
     * @throws RefusedInputException with a sentence that says what is wrong with the bounds
     */
    Range range() {
        Range whole = Range.all(direction());
        Position first = Positions.in("From", from);
        Position last = Positions.in("To", to);
        if (first != null && last != null && first.isAfter(last)) {
            throw new RefusedInputException(
                    "From is %s and to is %s: no position is in between.".formatted(first, last));
        }
        Position above = first == null ? whole.above() : Positions.before(first);
        Position upTo = last == null ? whole.upTo() : last;
        if (at != null && oldestFirst && at.isAfter(above)) {
            above = Positions.before(at);
        } else if (at != null && !oldestFirst && upTo.isAfter(at)) {
            upTo = at;
        }
        return new Range(above, upTo, direction());
    }

    /**
     * This page as commands to copy, which read the same events.
     *
     * @param shown the number of events on the page
     * @param most the number of events that a page may have
     */
    Snippets snippets(Query query, int shown, int most, boolean outOfTime) {
        Range range = range();
        Range whole = Range.all(direction());
        boolean begins =
                oldestFirst ? range.above().equals(whole.above()) : range.upTo().equals(whole.upTo());
        boolean ends = oldestFirst ? !to.isEmpty() : Positions.parse(from) != null && !"0".equals(from);
        Long first = begins
                ? null
                : oldestFirst ? range.above().value() + 1 : range.upTo().value();
        // A read has no bound at its far end, but a number of events.
        return new Snippets(query, first, direction(), ends || outOfTime ? shown : most);
    }

    /** The address of the page that begins at a position; of the first page without one. */
    public String pageAt(@Nullable Position next) {
        List<Object> more = new ArrayList<>();
        if (!from.isEmpty()) {
            more.addAll(List.of("from", from));
        }
        if (!to.isEmpty()) {
            more.addAll(List.of("to", to));
        }
        if (oldestFirst) {
            more.addAll(List.of("order", OLDEST));
        }
        if (next != null) {
            more.addAll(List.of("at", next));
        }
        return form.address(EventsController.PATH, more.toArray());
    }
}
