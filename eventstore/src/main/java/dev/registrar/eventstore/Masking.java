package dev.registrar.eventstore;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says what of a stored event is personal. A masking is a pure function, and a masked event masked again is the same:
 * an erasure that was interrupted is repeated.
 */
@FunctionalInterface
public interface Masking {

    /** The event without what is personal in it. */
    Masked mask(SequencedEvent stored);

    /**
     * What an erasure stores in the place of an event's content. The position, the id, the type and the time stay.
     *
     * @param actor null if unknown
     * @param personalTags the tags to remove. Queries and append conditions that name them no longer match the event
     */
    record Masked(String payload, String metadata, @Nullable Actor actor, Set<Tag> personalTags) {

        /** The content of an event in which nothing is personal. */
        public static Masked nothingOf(SequencedEvent stored) {
            return new Masked(stored.event().payload(), stored.event().metadata(), stored.actor(), Set.of());
        }
    }
}
