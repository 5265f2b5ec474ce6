package dev.registrar.eventstore;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Named resources that an append holds exclusively until it has committed.
 *
 * @param names the names of one or more resources
 * @param timeout how long to wait for all locks together, above zero. The store repeats an append after a lost
 *     connection; each attempt has this time
 */
public record ResourceLocks(SortedSet<String> names, Duration timeout) {
    public ResourceLocks {
        names = Collections.unmodifiableSortedSet(new TreeSet<>(names));
        if (names.isEmpty()) {
            throw new RefusedInputException("Resource locks must name at least one resource");
        }
        if (names.contains("")) {
            throw new RefusedInputException("The name of a resource must have at least one character");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new RefusedInputException("The timeout of resource locks must be above zero but is " + timeout);
        }
    }

    public static ResourceLocks of(Collection<String> names, Duration timeout) {
        return new ResourceLocks(new TreeSet<>(names), timeout);
    }
}
