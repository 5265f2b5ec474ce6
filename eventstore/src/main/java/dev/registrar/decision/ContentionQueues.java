package dev.registrar.decision;

import dev.registrar.concurrent.CombiningQueue;
import dev.registrar.eventstore.QueryItem;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Wait queues by query item, for the decisions of this process. A decision waits in the queue of an item while another
 * decision appends events that match the item, or after it has lost a race for it.
 */
final class ContentionQueues<E> {
    /*
     * Life. A queue is in the map while it is in use: a decision holds it open, or a batch of its decisions is under way.
     * When that ends and no decision waits, the queue removes itself. A decision that has found a queue just before joins
     * it nevertheless, which is safe: a queue that is in no map carries out its requests like any other.
     *
     * The number of waiting decisions has no bound of its own: each is a thread, and the application bounds its
     * concurrent requests. If no thread can be started for a batch, each of the waiting callers goes on alone.
     */
    private static final int MAX_BATCH = 128;

    private final BiConsumer<QueryItem, List<PendingDecision<E, ?>>> step;
    private final ThreadFactory threads;
    private final Map<QueryItem, CombiningQueue<Waiting<E>>> queues = new ConcurrentHashMap<>();

    /** A decision in a queue or in its batch, until it leaves them. */
    static final class Waiting<E> extends CombiningQueue.Request {
        private final PendingDecision<E, ?> decision;

        private Waiting(PendingDecision<E, ?> decision) {
            this.decision = decision;
        }

        @Override
        protected long nanosLeft() {
            return decision.nanosLeft();
        }

        private void leave() {
            done();
        }
    }

    /**
     * Creates the queues.
     *
     * @param step makes the decisions of a batch
     */
    ContentionQueues(BiConsumer<QueryItem, List<PendingDecision<E, ?>>> step) {
        this(step, CombiningQueue.threads("decision-batch"));
    }

    ContentionQueues(BiConsumer<QueryItem, List<PendingDecision<E, ?>>> step, ThreadFactory threads) {
        this.step = step;
        this.threads = threads;
    }

    private CombiningQueue<Waiting<E>> queue(QueryItem item) {
        return new CombiningQueue<>(threads, batch -> carryOut(item, batch), idle -> queues.remove(item, idle));
    }

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
     * Of several decisions with the same items, one opens all of their queues.
     *
     * @return the queues that this call has opened; the caller must release them
     */
    synchronized Map<QueryItem, CombiningQueue<Waiting<E>>> open(Set<QueryItem> items) {
        Map<QueryItem, CombiningQueue<Waiting<E>>> opened = new LinkedHashMap<>();
        for (QueryItem item : items) {
            CombiningQueue<Waiting<E>> queue = queue(item);
            queue.hold();
            if (queues.putIfAbsent(item, queue) == null) {
                opened.put(item, queue);
            }
        }
        return opened;
    }

    /**
     * Waits in the queue of an item until the decision is over or leaves the queue. If there is no queue, the caller
     * opens one and makes its decision alone.
     *
     * @return false if the decision's time was over, or its caller interrupted, while it waited
     */
    boolean await(QueryItem item, PendingDecision<E, ?> decision) {
        return queues.computeIfAbsent(item, this::queue).submit(new Waiting<>(decision))
                == CombiningQueue.Ending.ANSWERED;
    }

    private void carryOut(QueryItem item, CombiningQueue<Waiting<E>>.Batch batch) {
        batch.takeFirst(MAX_BATCH);
        List<PendingDecision<E, ?>> decisions = batch.members().stream()
                .<PendingDecision<E, ?>>map(each -> each.decision)
                .toList();
        if (decisions.isEmpty()) {
            return;
        }
        try {
            step.accept(item, decisions);
        } catch (Throwable failure) {
            // Also an Error: no caller must wait in vain. A decision that is over keeps its result.
            RuntimeException reason = new IllegalStateException("Unexpected error in a decision", failure);
            decisions.forEach(decision -> decision.fail(reason));
        }
        batch.putBack(batch.members().stream()
                .filter(each -> each.decision.isWaitingFor(item))
                .toList());
        batch.members().forEach(Waiting::leave);
    }

    /** The number of decisions that wait in the queue of an item. */
    int waiting(QueryItem item) {
        CombiningQueue<Waiting<E>> queue = queues.get(item);
        return queue == null ? 0 : queue.waiting();
    }

    /** The number of waiting decisions of each item that has any. */
    Map<QueryItem, Integer> waiting() {
        Map<QueryItem, Integer> waiting = new HashMap<>();
        for (QueryItem item : queues.keySet()) {
            int decisions = waiting(item);
            if (decisions > 0) {
                waiting.put(item, decisions);
            }
        }
        return waiting;
    }
}
