package dev.registrar.decision;

import dev.registrar.concurrent.CombiningQueue;
import dev.registrar.concurrent.CombiningQueue.Ending;
import dev.registrar.eventstore.QueryItem;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Wait queues by query item, for the decisions of this process. A decision waits in the queue of an item while another
 * decision appends events that match the item, or after it has lost a race for it. A queue exists while a decision
 * holds it open or waits in it.
 */
final class ContentionQueues<E> {
    /* Unbounded here: each waiting request is a thread, and the application bounds its concurrent requests. */
    private static final int ANY_NUMBER = Integer.MAX_VALUE;

    private final Map<QueryItem, CombiningQueue<PendingDecision<E, ?>>> queues = new ConcurrentHashMap<>();

    /** The first query item of the decision's facts that has a queue; null if none has one. */
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
     * Opens queues for the items that match the events of the next append. Decisions that arrive meanwhile wait there.
     *
     * @return the items whose queues this call has opened; the caller must close them
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

    /** Passes leadership of the queues to the decisions that arrived while the queues were held open. */
    void close(Set<QueryItem> opened) {
        for (QueryItem item : opened) {
            CombiningQueue<PendingDecision<E, ?>> queue = queues.get(item);
            if (queue != null) {
                queue.release();
            }
        }
    }

    /**
     * Waits in the queue of an item until a leader is done with the decision. The caller leads when it is the
     * decision's turn.
     *
     * @param step decides a batch of the waiting decisions
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

    /** The number of decisions that wait in the queue of an item. */
    int waiting(QueryItem item) {
        CombiningQueue<PendingDecision<E, ?>> queue = queues.get(item);
        return queue == null ? 0 : queue.waiting();
    }

    /** The number of waiting decisions of each item that has any. */
    Map<QueryItem, Integer> waiting() {
        Map<QueryItem, Integer> waiting = new HashMap<>();
        queues.forEach((item, queue) -> {
            int decisions = queue.waiting();
            if (decisions > 0) {
                waiting.put(item, decisions);
            }
        });
        return waiting;
    }

    /* A closed queue is removed by its last leader, or by a decision that finds it closed and then looks again. */
    private CombiningQueue<PendingDecision<E, ?>> queue(QueryItem item) {
        return new CombiningQueue<>(1, ANY_NUMBER, closed -> queues.remove(item, closed));
    }
}
