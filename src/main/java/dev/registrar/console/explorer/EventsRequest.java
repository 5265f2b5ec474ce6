package dev.registrar.console.explorer;

import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.postgres.read.StoreExplorer.Range;
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

    /** The sentence about a wrong bound; null if both are right. */
    @Nullable String wrongBounds() {
        Position first = Positions.parse(from);
        Position last = Positions.parse(to);
        if (first == null && !from.isEmpty()) {
            return Positions.wrong("From");
        }
        if (last == null && !to.isEmpty()) {
            return Positions.wrong("To");
        }
        return first != null && last != null && first.isAfter(last)
                ? "From is %s and to is %s: no position is in between.".formatted(first, last)
                : null;
    }

    QueryForm.Parsed parse(StoreLimits limits, boolean showsTags) {
        if (!showsTags && form.hasTags()) {
            return new QueryForm.Parsed(
                    null, "Tags are shown to auditors only. Search again without them, or ask an auditor.");
        }
        QueryForm.Parsed parsed = form.parse(limits);
        String bounds = wrongBounds();
        return parsed.error() == null && bounds != null ? new QueryForm.Parsed(null, bounds) : parsed;
    }

    Direction direction() {
        return oldestFirst ? Direction.FORWARDS : Direction.BACKWARDS;
    }

    /** The positions of this page and of all that follow. */
    Range range() {
        Range whole = Range.all(direction());
        Position first = Positions.parse(from);
        Position last = Positions.parse(to);
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

    /** The address of the first page. */
    public String firstPage() {
        return address(EventsController.PATH).toString();
    }

    /** The address of the page that begins at a position. */
    String pageAt(Position next) {
        return address(EventsController.PATH).with("at", next.toString()).toString();
    }

    /** The address of this query's newest events, which follows new ones, or no longer does. */
    public String followed(boolean follow) {
        Address address = form.in(new Address(EventsController.PATH));
        return (follow ? address.with("live", "on") : address).toString();
    }

    /** The address of the stream that reports the events of this query after a position. */
    public String stream(long after) {
        return form.in(new Address(EventsController.PATH + "/live"))
                .with("after", Long.toString(after))
                .toString();
    }

    /** The address of the condition lab with this query. */
    public String lab() {
        return form.in(new Address(LabController.PATH)).with("after", "0").toString();
    }

    private Address address(String path) {
        Address address = form.in(new Address(path));
        if (!from.isEmpty()) {
            address.with("from", from);
        }
        if (!to.isEmpty()) {
            address.with("to", to);
        }
        return oldestFirst ? address.with("order", OLDEST) : address;
    }
}
