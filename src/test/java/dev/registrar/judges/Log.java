package dev.registrar.judges;

import dev.registrar.judges.History.Item;
import dev.registrar.judges.History.Stored;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The events of a log, indexed by type, by tag and by both, so that a match is found in logarithmic time. */
final class Log {
    static final long NONE = Long.MAX_VALUE;

    private final long start;
    private final List<Stored> events;
    private final Map<List<String>, List<Long>> positions = new HashMap<>();

    Log(long start, List<Stored> events) {
        this.start = start;
        this.events = events;
        for (Stored event : events) {
            note(event.position(), event.type(), "");
            for (String tag : event.tags()) {
                note(event.position(), "", tag);
                note(event.position(), event.type(), tag);
            }
        }
    }

    private void note(long position, String type, String tag) {
        positions
                .computeIfAbsent(List.of(type, tag), absent -> new ArrayList<>())
                .add(position);
    }

    long head() {
        return start + events.size();
    }

    boolean has(long position) {
        return position > start && position <= head();
    }

    Stored at(long position) {
        return events.get(Math.toIntExact(position - start - 1));
    }

    /** The lowest position after another at which an event matches an item, or any event if there are no items. */
    long firstMatch(List<Item> items, long after) {
        long begin = Math.max(after, start);
        if (items.isEmpty()) {
            return begin < head() ? begin + 1 : NONE;
        }
        long first = NONE;
        for (Item item : items) {
            first = Math.min(first, firstMatch(item, begin));
        }
        return first;
    }

    private long firstMatch(Item item, long after) {
        if (item.types().isEmpty()) {
            return firstMatch(item, "", after);
        }
        long first = NONE;
        for (String type : item.types()) {
            first = Math.min(first, firstMatch(item, type, after));
        }
        return first;
    }

    private long firstMatch(Item item, String type, long after) {
        if (type.isEmpty() && item.tags().isEmpty()) {
            return after < head() ? after + 1 : NONE;
        }
        List<Long> candidates = item.tags().isEmpty() ? known(type, "") : rarest(type, item.tags());
        int found = Collections.binarySearch(candidates, after + 1);
        for (int i = found < 0 ? -found - 1 : found; i < candidates.size(); i++) {
            if (item.matches(at(candidates.get(i)))) {
                return candidates.get(i);
            }
        }
        return NONE;
    }

    private List<Long> rarest(String type, List<String> tags) {
        List<Long> rarest = known(type, tags.getFirst());
        for (String tag : tags) {
            List<Long> other = known(type, tag);
            rarest = other.size() < rarest.size() ? other : rarest;
        }
        return rarest;
    }

    private List<Long> known(String type, String tag) {
        return positions.getOrDefault(List.of(type, tag), List.of());
    }

    /** The positions of all matching events after a position, up to another. */
    List<Long> matches(List<Item> items, long after, long upTo) {
        List<Long> all = new ArrayList<>();
        for (long next = firstMatch(items, after); next <= upTo; next = firstMatch(items, next)) {
            all.add(next);
        }
        return all;
    }
}
