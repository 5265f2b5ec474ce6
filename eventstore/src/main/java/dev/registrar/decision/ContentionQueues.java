package dev.registrar.decision;

import dev.registrar.concurrent.CombiningQueue;
import dev.registrar.concurrent.CombiningQueue.Ending;
import dev.registrar.eventstore.QueryItem;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Wait queues by query item, for the decisions of this process. A decision waits in the queue of an item while another
 * decision appends events that match the item, or after it has lost a race for it. A queue exists while a decision
 * holds it open or waits in it.
 */
final class ContentionQueues<E> {
    /* Unbounded here: each waiting request is a thread, and the application bounds its concurrent requests. */
    private static final int ANY_NUMBER = Integer.MAX_VALUE;

    private static final int MAX_BATCH = 128;

    private final Map<QueryItem, CombiningQueue<Waiting<E>>> queues = new ConcurrentHashMap<>();
    private final BiConsumer<QueryItem, List<PendingDecision<E, ?>>> step;

    /** A decision in a queue. */
    private static final class Waiting<E> extends CombiningQueue.Request {
        private final PendingDecision<E, ?> decision;

        Waiting(PendingDecision<E, ?> decision) {
            this.decision = decision;
        }

        PendingDecision<E, ?> decision() {
            return decision;
        }

        @Override
        protected long nanosLeft() {
            return decision.nanosLeft();
        }

        void leave() {
            done();
        }

        /* The decision is over already if the step failed after that. */
        void failIfAbandoned() {
            if (isAbandoned()) {
                decision.fail(new IllegalStateException("Unexpected error in a decision", abandonCause()));
            }
        }
    }

    /**
     * Creates the queues.
     *
     * @param step makes the decisions that wait in the queue of an item
     */
    ContentionQueues(BiConsumer<QueryItem, List<PendingDecision<E, ?>>> step) {
        this.step = step;
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
     *
     * @return the items whose queues this call has opened; the caller must close them
     */
    Set<QueryItem> open(Set<QueryItem> items) {
        Set<QueryItem> opened = new LinkedHashSet<>();
        for (QueryItem item : items) {
            if (queues.containsKey(item)) {
                continue;
            }
            CombiningQueue<Waiting<E>> queue = queue(item);
            if (queue.hold() && queues.putIfAbsent(item, queue) == null) {
                opened.add(item);
            }
        }
        return opened;
    }

    /** Lets the decisions be made that arrived while the queues were held open. */
    void close(Set<QueryItem> opened) {
        for (QueryItem item : opened) {
            CombiningQueue<Waiting<E>> queue = queues.get(item);
            if (queue != null) {
                queue.release();
            }
        }
    }

    /** Waits in the queue of an item until the decision is over, times out or leaves the queue. */
    Ending submit(QueryItem item, PendingDecision<E, ?> decision) {
        Waiting<E> mine = new Waiting<>(decision);
        Ending ending;
        do {
            CombiningQueue<Waiting<E>> queue = queues.computeIfAbsent(item, this::queue);
            ending = queue.submit(mine);
            if (ending == Ending.CLOSED) {
                queues.remove(item, queue);
            }
        } while (ending == Ending.CLOSED);
        mine.failIfAbandoned();
        return ending;
    }

    private void decide(QueryItem item, CombiningQueue<Waiting<E>>.Batch batch) {
        batch.takeFirst(MAX_BATCH);
        List<Waiting<E>> members = List.copyOf(batch.members());
        if (!members.isEmpty()) {
            step.accept(
                    item,
                    members.stream()
                            .<PendingDecision<E, ?>>map(Waiting::decision)
                            .toList());
            batch.putBack(members.stream()
                    .filter(waiting -> waiting.decision().isWaitingFor(item))
                    .toList());
            batch.members().forEach(Waiting::leave);
        }
    }

    /** The number of decisions that wait in the queue of an item. */
    int waiting(QueryItem item) {
        CombiningQueue<Waiting<E>> queue = queues.get(item);
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

    /* A closed queue is removed when its last batch ends, or by a decision that finds it closed and then looks again. */
    private CombiningQueue<Waiting<E>> queue(QueryItem item) {
        return new CombiningQueue<>(1, ANY_NUMBER, batch -> decide(item, batch), closed -> queues.remove(item, closed));
    }
}
