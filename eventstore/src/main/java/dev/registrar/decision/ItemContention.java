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
 * @param longestQueue the most decisions that waited in the wait queue of the item when a batch was taken
 * @param waiting decisions that wait in the wait queue of the item now
 * @param missed the upper bound of what is missing in these numbers together, because the recorder was full when the
 *     item appeared
 * @param conflictsOverTime the conflicts by {@link ContentionRecorder#SLICE}, the earliest first; the last one is not
 *     over
 * @param lostRaces the latest {@value ContentionRecorder#LATEST_CONFLICTS} conflicts by loser and winner, the most
 *     frequent first
 */
public record ItemContention(
        QueryItem item,
        long conflicts,
        long retries,
        long gaveUp,
        int longestQueue,
        int waiting,
        long missed,
        List<Long> conflictsOverTime,
        List<LostRaces> lostRaces) {
    public ItemContention {
        conflictsOverTime = List.copyOf(conflictsOverTime);
        lostRaces = List.copyOf(lostRaces);
    }

    /**
     * Conflicts of one kind of loser with one kind of winner; of long names only the beginning is kept.
     *
     * @param loser what wanted to append: the type of a command, or words for another append
     * @param winner the type of the event that was appended before
     * @param times how many of the latest conflicts of the item these are
     */
    public record LostRaces(String loser, String winner, int times) {}
}
