package dev.registrar.eventstore;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Named resources that an append holds exclusively until it has committed.
 *
 * @param names one or more, each once
 * @param timeout how long to wait for all of them; more than zero
 */
public record ResourceLocks(SortedSet<String> names, Duration timeout) {
    public ResourceLocks {
        names = Collections.unmodifiableSortedSet(new TreeSet<>(names));
        if (names.isEmpty()) {
            throw new RefusedInputException("Resource locks name at least one resource");
        }
        if (names.contains("")) {
            throw new RefusedInputException("A resource's name has at least one character");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new RefusedInputException("The timeout of resource locks is more than zero but was " + timeout);
        }
    }

    public static ResourceLocks of(Collection<String> names, Duration timeout) {
        return new ResourceLocks(new TreeSet<>(names), timeout);
    }
}
