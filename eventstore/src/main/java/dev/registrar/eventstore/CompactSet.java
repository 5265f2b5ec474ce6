package dev.registrar.eventstore;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An immutable, ordered set for the few tags of an event and the few types and tags of a query item. It is backed by a
 * list, which takes a fraction of a {@link LinkedHashSet}'s memory and is searched as fast at this size.
 */
final class CompactSet<T> extends AbstractSet<T> {
    private static final int FEW = 8;

    private final List<T> elements;

    private CompactSet(List<T> elements) {
        this.elements = elements;
    }

    /**
     * An immutable set of these elements in their order. A set of more than 8 elements uses a hash table.
     *
     * @throws NullPointerException if an element is null
     */
    static <T> Set<T> copyOf(Collection<T> elements) {
        if (elements instanceof CompactSet<T> already) {
            return already;
        }
        List<T> copy = List.copyOf(elements);
        if (copy.size() > FEW) {
            return Collections.unmodifiableSet(new LinkedHashSet<>(copy));
        }
        return new CompactSet<>(
                elements instanceof Set<T> || isDistinct(copy) ? copy : List.copyOf(new LinkedHashSet<>(copy)));
    }

    private static boolean isDistinct(List<?> elements) {
        for (int i = 1; i < elements.size(); i++) {
            if (elements.indexOf(elements.get(i)) < i) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean contains(@Nullable Object candidate) {
        return candidate != null && elements.contains(candidate);
    }

    @Override
    public Iterator<T> iterator() {
        return elements.iterator();
    }

    @Override
    public int size() {
        return elements.size();
    }
}
