package dev.registrar.subscription;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Listeners by the tags and types of their queries, so that an event costs nothing for the listeners whose queries it
 * does not match. For use by one thread at a time.
 */
final class SubscriptionIndex {
    /** By one tag of each query item that has tags. */
    private final Map<Tag, Set<Listener>> byTag = new HashMap<>();
    /** By the types of each query item that has types and no tags. */
    private final Map<String, Set<Listener>> byType = new HashMap<>();
    /** Listeners with a query item that has neither. */
    private final Set<Listener> ofEverything = new HashSet<>();

    void add(Listener listener) {
        for (QueryItem item : listener.query().items()) {
            if (!item.tags().isEmpty()) {
                byTag.computeIfAbsent(rarest(item.tags()), tag -> new HashSet<>())
                        .add(listener);
            } else if (!item.types().isEmpty()) {
                item.types()
                        .forEach(type -> byType.computeIfAbsent(type, any -> new HashSet<>())
                                .add(listener));
            } else {
                ofEverything.add(listener);
            }
        }
    }

    void remove(Listener listener) {
        for (QueryItem item : listener.query().items()) {
            item.tags().forEach(tag -> remove(byTag, tag, listener));
            item.types().forEach(type -> remove(byType, type, listener));
        }
        ofEverything.remove(listener);
    }

    boolean isEmpty() {
        return byTag.isEmpty() && byType.isEmpty() && ofEverything.isEmpty();
    }

    /** Every listener whose query matches the event, and possibly others. */
    Set<Listener> candidates(Event event) {
        Set<Listener> candidates = new LinkedHashSet<>(ofEverything);
        candidates.addAll(byType.getOrDefault(event.type(), Set.of()));
        for (Tag tag : event.tags()) {
            candidates.addAll(byTag.getOrDefault(tag, Set.of()));
        }
        return candidates;
    }

    Set<Listener> all() {
        Set<Listener> all = new LinkedHashSet<>(ofEverything);
        byType.values().forEach(all::addAll);
        byTag.values().forEach(all::addAll);
        return all;
    }

    /*
     * Every event with a tag has all listeners under that tag as candidates, so the tag with the fewest listeners is
     * best.
     */
    private Tag rarest(Set<Tag> tags) {
        return tags.stream()
                .min(Comparator.comparingInt(
                        tag -> byTag.getOrDefault(tag, Set.of()).size()))
                .orElseThrow();
    }

    private static <K> void remove(Map<K, Set<Listener>> index, K key, Listener listener) {
        index.computeIfPresent(key, (found, listeners) -> {
            listeners.remove(listener);
            return listeners.isEmpty() ? null : listeners;
        });
    }
}
