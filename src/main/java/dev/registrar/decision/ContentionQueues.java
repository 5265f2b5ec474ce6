package dev.registrar.decision;

import dev.registrar.eventstore.QueryItem;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Where those stand whose decisions another decision of this process is about to touch, or who were too late for the
 * same reason: first come, first served. A line is there while a decision keeps it open, or somebody stands in it, of
 * whom one leads it.
 */
final class ContentionQueues<E> {
    private final Map<QueryItem, Deque<PendingDecision<E, ?>>> lines = new ConcurrentHashMap<>();

    /** The first of the decision's items for which there is a line. */
    @Nullable QueryItem lineOf(PendingDecision<E, ?> decision) {
        if (!lines.isEmpty()) {
            for (DecodedFact<E, ?> fact : decision.facts()) {
                for (QueryItem item : fact.query().items()) {
                    if (lines.containsKey(item)) {
                        return item;
                    }
                }
            }
        }
        return null;
    }

    /**
     * Opens lines for what is about to be touched.
     *
     * @return the items whose lines were not there yet: whoever opened them closes them
     */
    Set<QueryItem> open(Set<QueryItem> items) {
        Set<QueryItem> opened = new LinkedHashSet<>();
        for (QueryItem item : items) {
            if (lines.putIfAbsent(item, new ArrayDeque<>(0)) == null) {
                opened.add(item);
            }
        }
        return opened;
    }

    /** Leaves lines to those who came while they were open. */
    void close(Set<QueryItem> opened) {
        opened.forEach(this::passOn);
    }

    /** Goes to the end of a line; the first one there leads it. */
    void join(QueryItem line, PendingDecision<E, ?> decision) {
        decision.standInLine();
        lines.compute(line, (item, waiting) -> {
            if (waiting == null) {
                decision.lead(true);
            }
            Deque<PendingDecision<E, ?>> longer = waiting == null ? new ArrayDeque<>() : waiting;
            longer.addLast(decision);
            return longer;
        });
    }

    /** Takes so many from the front, at most. Only who leads the line may. */
    List<PendingDecision<E, ?>> next(QueryItem line, int most) {
        List<PendingDecision<E, ?>> next = new ArrayList<>();
        lines.computeIfPresent(line, (item, waiting) -> {
            while (next.size() < most && !waiting.isEmpty()) {
                next.add(waiting.removeFirst());
            }
            return waiting;
        });
        return next;
    }

    /** Puts some back to the front, in their order. */
    void putBack(QueryItem line, List<PendingDecision<E, ?>> decisions) {
        lines.computeIfPresent(line, (item, waiting) -> {
            decisions.reversed().forEach(waiting::addFirst);
            return waiting;
        });
    }

    /** Leaves a line; false if it was not there, for it is being decided just now. */
    boolean leave(QueryItem line, PendingDecision<E, ?> decision) {
        boolean[] left = {false};
        lines.computeIfPresent(line, (item, waiting) -> {
            left[0] = !decision.leads() && waiting.remove(decision);
            return waiting;
        });
        return left[0];
    }

    /** Makes the first that waits the leader. */
    void passOn(QueryItem line) {
        lines.computeIfPresent(line, (item, waiting) -> {
            if (waiting.isEmpty()) {
                return null;
            }
            waiting.getFirst().lead(true);
            return waiting;
        });
    }
}
