package dev.registrar.decision;

import dev.registrar.concurrent.CombiningQueue;
import dev.registrar.concurrent.CombiningQueue.Ending;
import dev.registrar.eventstore.QueryItem;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Wait queues by query item. In each wait the decisions of this process that another decision is about to affect, or
 * that have lost a race for the item. A queue exists while a decision holds it open, or a decision is in it.
 */
final class ContentionQueues<E> {
    /* No bound of its own: a request is a thread, and those are bounded where they enter the process. */
    private static final int ANY_NUMBER = Integer.MAX_VALUE;

    private final Map<QueryItem, CombiningQueue<PendingDecision<E, ?>>> queues = new ConcurrentHashMap<>();

    /** The first of the decision's items that has a queue. */
    @Nullable QueryItem itemOf(PendingDecision<E, ?> decision) {
        if (!queues.isEmpty()) {
            for (DecodedFact<E, ?> fact : decision.facts()) {
                for (QueryItem item : fact.query().items()) {
                    if (queues.containsKey(item)) {
                        return item;
                    }
                }
            }
        }
        return null;
    }

    /**
     * Opens queues for the items that an append is about to affect. Decisions that come meanwhile wait there.
     *
     * @return the items whose queues did not exist yet: the caller closes them
     */
    Set<QueryItem> open(Set<QueryItem> items) {
        Set<QueryItem> opened = new LinkedHashSet<>();
        for (QueryItem item : items) {
            if (queues.containsKey(item)) {
                continue;
            }
            CombiningQueue<PendingDecision<E, ?>> queue = queue(item);
            if (queue.hold() && queues.putIfAbsent(item, queue) == null) {
                opened.add(item);
            }
        }
        return opened;
    }

    /** Leaves queues to the decisions that came while they were held open. */
    void close(Set<QueryItem> opened) {
        for (QueryItem item : opened) {
            CombiningQueue<PendingDecision<E, ?>> queue = queues.get(item);
            if (queue != null) {
                queue.release();
            }
        }
    }

    /**
     * Waits in an item's queue until a leader is done with the decision, and leads if it is the decision's turn.
     *
     * @param step decides some of those that wait
     */
    Ending submit(
            QueryItem item,
            PendingDecision<E, ?> decision,
            Consumer<CombiningQueue<PendingDecision<E, ?>>.Batch> step) {
        Ending ending;
        do {
            CombiningQueue<PendingDecision<E, ?>> queue = queues.computeIfAbsent(item, this::queue);
            ending = queue.submit(decision, step);
            if (ending == Ending.CLOSED) {
                queues.remove(item, queue);
            }
        } while (ending == Ending.CLOSED);
        return ending;
    }

    /* It is removed when it has closed, by its last leader or by a decision that finds it closed, and looks again. */
    private CombiningQueue<PendingDecision<E, ?>> queue(QueryItem item) {
        return new CombiningQueue<>(1, ANY_NUMBER, closed -> queues.remove(item, closed));
    }
}
