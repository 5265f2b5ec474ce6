package dev.registrar.eventstore;

import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Folds events into one state for each of many groups, in memory and in one pass over a read. The projection's query
 * only filters the events that were read.
 *
 * <pre>{@code
 * GroupFold<String, Integer> seats = GroupFold.byTag("course:", new SeatsTaken(), 10_000);
 * try (EventStream enrollments = store.read(seats.each().query())) {
 *     Map<String, Integer> taken = seats.fold(enrollments);
 * }
 * }</pre>
 *
 * <p>The states are at the stream's {@link EventStream#head()}: a condition on the query after that head guards all
 * groups.
 *
 * @param each the projection of a group
 * @param keys the groups of an event, none or more; the event is applied once for each group
 * @param most the maximum number of groups, 1 or more
 */
public record GroupFold<K, S>(
        Projection<S> each, Function<? super SequencedEvent, ? extends Collection<K>> keys, int most) {
    public GroupFold {
        if (most < 1) {
            throw new IllegalArgumentException(
                    "The maximum number of groups must be 1 or more but is %s".formatted(most));
        }
    }

    /**
     * Groups events by the part of their tags after a prefix. An event with several such tags belongs to several
     * groups; an event without such a tag belongs to no group.
     *
     * @param prefix the prefix of the tags, such as {@code course:}; an empty prefix groups by whole tags
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
     * Folds all remaining events in order, and does not close their stream.
     *
     * @return the states by group, in the order of the groups' first events
     * @throws IllegalStateException if the events have more groups than the maximum
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
                    "Too many groups (limit %s): the event at position %s adds the group '%s'; read fewer events or allow more groups"
                            .formatted(most, event.position(), key));
        }
        return each.initial();
    }
}
