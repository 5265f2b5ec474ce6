package dev.registrar.eventstore.postgres.read;

import org.jspecify.annotations.Nullable;

/**
 * How often events have a type or a kind of tags.
 *
 * @param name the type, or the kind as {@link StoreExplorer#kindsOfTags} has it
 * @param counted the number that was counted, at most {@link StoreExplorer#MOST_COUNTED} + 1
 * @param estimate the number by PostgreSQL's statistics; null if the count is exact, or if there are no statistics yet
 */
public record NameCount(String name, long counted, @Nullable Long estimate) {
    /** Whether all were counted. */
    public boolean isExact() {
        return counted <= StoreExplorer.MOST_COUNTED;
    }
}
