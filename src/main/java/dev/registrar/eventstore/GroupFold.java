package dev.registrar.eventstore;

import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Folds events into one state for each of many groups, in one pass over a read and in memory. The projection's own
 * query is only a filter here: what is read decides what is folded.
 *
 * <pre>{@code
 * GroupFold<String, Integer> seats = GroupFold.byTag("course:", new SeatsTaken(), 10_000);
 * try (EventStream enrollments = store.read(seats.each().query())) {
 *     Map<String, Integer> taken = seats.fold(enrollments);
 * }
 * }</pre>
 *
 * <p>The stream's {@link EventStream#head()} is where the states stand: a condition on the query after that head guards
 * all groups.
 *
 * @param each the projection of a group
 * @param keys the groups that an event belongs to, none or more; a state sees an event once for each
 * @param most groups, 1 or more
 */
public record GroupFold<K, S>(
        Projection<S> each, Function<? super SequencedEvent, ? extends Collection<K>> keys, int most) {
    public GroupFold {
        if (most < 1) {
            throw new IllegalArgumentException("A fold has room for 1 group or more but was given %d".formatted(most));
        }
    }

    /**
     * Groups events by what follows a prefix in their tags. An event that has several such tags belongs to several
     * groups, one that has none belongs to no group.
     *
     * @param prefix such as {@code course:}; empty groups by whole tags
     */
    public static <S> GroupFold<String, S> byTag(String prefix, Projection<S> each, int most) {
        return new GroupFold<>(each, event -> valuesOf(prefix, event.event()), most);
    }

    private static List<String> valuesOf(String prefix, Event event) {
        return event.tags().stream()
                .map(Tag::value)
                .filter(tag -> tag.startsWith(prefix))
                .map(tag -> tag.substring(prefix.length()))
                .toList();
    }

    /**
     * Folds events in their order. It reads the events to their end and does not close them.
     *
     * @return the states by group, in the order in which the groups first occurred
     * @throws IllegalStateException if the events have more groups than there is room for
     */
    public Map<K, S> fold(Iterator<SequencedEvent> events) {
        Query query = each.query();
        Map<K, S> states = new LinkedHashMap<>();
        while (events.hasNext()) {
            SequencedEvent event = events.next();
            if (query.matches(event.event())) {
                for (K key : keys.apply(event)) {
                    S before = states.containsKey(key) ? states.get(key) : begin(states.size(), key, event);
                    states.put(key, each.apply(before, event));
                }
            }
        }
        return Collections.unmodifiableMap(states);
    }

    private S begin(int groups, K key, SequencedEvent event) {
        if (groups == most) {
            throw new IllegalStateException(
                    "A fold has room for %d groups, but the event at position %s begins another one, '%s'; read fewer events or allow more groups"
                            .formatted(most, event.position(), key));
        }
        return each.initial();
    }
}
