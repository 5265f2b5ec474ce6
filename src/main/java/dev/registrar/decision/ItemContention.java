package dev.registrar.decision;

import dev.registrar.eventstore.QueryItem;
import java.util.List;

/**
 * How much the decisions of this process competed for the events of one query item, during
 * {@link ContentionRecorder#WINDOW}.
 *
 * @param item the query item; of a very long item, the recorder keeps only the beginning
 * @param conflicts appends that failed because a new event matched the item
 * @param retries attempts that followed such a conflict
 * @param gaveUp decisions that ended without a verdict, at the bound of their time or of their attempts
 * @param longestQueue the most decisions that waited in the wait queue of the item when a leader took its batch
 * @param waiting decisions that wait in the wait queue of the item now
 * @param missed the upper bound of what is missing in these numbers together, because the recorder was full when the
 *     item appeared
 * @param conflictsOverTime the conflicts by {@link ContentionRecorder#SLICE}, the earliest first; the last one is not
 *     over
 */
public record ItemContention(
        QueryItem item,
        long conflicts,
        long retries,
        long gaveUp,
        int longestQueue,
        int waiting,
        long missed,
        List<Long> conflictsOverTime) {
    public ItemContention {
        conflictsOverTime = List.copyOf(conflictsOverTime);
    }
}
