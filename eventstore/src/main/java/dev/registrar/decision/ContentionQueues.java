package dev.registrar.decision;

import dev.registrar.concurrent.BatchThreads;
import dev.registrar.eventstore.QueryItem;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wait queues by query item, for the decisions of this process. A decision waits in the queue of an item while another
 * decision appends events that match the item, or after it has lost a race for it.
 */
final class ContentionQueues<E> {
    /*
     * Life. A queue exists as long as it has a holder: a decision that holds it open, or a batch of its decisions. When
     * the holder ends, a new thread takes the waiting decisions as the next batch. If none waits, the queue is removed.
     * All of this happens under the monitor, which is held for a few operations on maps and lists, and never during a
     * batch. So no decision waits in a queue without a holder. The number of waiting decisions has no bound of its own:
     * each is a thread, and the application bounds its concurrent requests.
     *
     * Interrupts. No caller's thread makes the decision of another caller, so the interrupt of one caller fails no
     * other. If no thread can be started, or no memory is left to put decisions back, the queue is removed, and each of
     * its callers goes on alone.
     *
     * Memory ordering. Several threads write the plain fields of a decision in turn. Callers enter a queue, and batches
     * take and put back decisions, under the monitor. What the thread of a batch writes before a decision leaves happens
     * before its caller reads that it has left. A caller reads that before each park(), so no wake-up is lost.
     */
    private static final Logger LOG = LoggerFactory.getLogger(ContentionQueues.class);

    private static final int MAX_BATCH = 128;

    private final BiConsumer<QueryItem, List<PendingDecision<E, ?>>> step;
    private final ThreadFactory threads;
    /** The waiting decisions by item. Changed under the monitor only. */
    private final Map<QueryItem, Deque<Waiting<E>>> queues = new ConcurrentHashMap<>();

    /** A decision in a queue or in its batch, until it leaves them. */
    private static final class Waiting<E> {
        private final PendingDecision<E, ?> decision;
        private final Thread caller = Thread.currentThread();
        private volatile boolean left;

        private Waiting(PendingDecision<E, ?> decision) {
            this.decision = decision;
        }

        private void leave() {
            left = true;
            wake();
        }

        private void wake() {
            if (!caller.equals(Thread.currentThread())) {
                LockSupport.unpark(caller);
            }
        }
    }

    /**
     * Creates the queues.
     *
     * @param step makes the decisions of a batch
     */
    ContentionQueues(BiConsumer<QueryItem, List<PendingDecision<E, ?>>> step) {
        this(step, BatchThreads.named("decision-batch"));
    }

    ContentionQueues(BiConsumer<QueryItem, List<PendingDecision<E, ?>>> step, ThreadFactory threads) {
        this.step = step;
        this.threads = threads;
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
    synchronized Set<QueryItem> open(Set<QueryItem> items) {
        Set<QueryItem> opened = new LinkedHashSet<>();
        for (QueryItem item : items) {
            if (queues.putIfAbsent(item, new ArrayDeque<>(2)) == null) {
                opened.add(item);
            }
        }
        return opened;
    }

    /** Lets the decisions be made that arrived while the queues were held open. */
    void close(Set<QueryItem> opened) {
        opened.forEach(this::passOn);
    }

    /**
     * Waits in the queue of an item until the decision is over or leaves the queue. If there is no queue, the caller
     * opens one and makes its decision alone.
     *
     * @return false if the decision's time was over, or its caller interrupted, while it waited
     */
    boolean await(QueryItem item, PendingDecision<E, ?> decision) {
        Waiting<E> mine = new Waiting<>(decision);
        List<Waiting<E>> alone = List.of(mine);
        if (!enter(item, mine)) {
            carryOut(item, alone);
        }
        boolean isInterrupted = false;
        try {
            while (!mine.left) {
                isInterrupted |= Thread.interrupted();
                long nanosLeft = decision.nanosLeft();
                if (nanosLeft > 0 && !isInterrupted) {
                    LockSupport.parkNanos(this, nanosLeft);
                } else if (withdraw(item, mine)) {
                    return false;
                } else if (!mine.left) {
                    // A batch has taken the decision. It wakes this thread when the decision is made or put back.
                    LockSupport.park(this);
                }
            }
            return true;
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /* False if there was no queue, so that the caller is the holder of a new one. */
    private synchronized boolean enter(QueryItem item, Waiting<E> mine) {
        Deque<Waiting<E>> queue = queues.get(item);
        if (queue == null) {
            queues.put(item, new ArrayDeque<>(2));
            return false;
        }
        return queue.add(mine);
    }

    private synchronized boolean withdraw(QueryItem item, Waiting<E> mine) {
        Deque<Waiting<E>> queue = queues.get(item);
        return queue != null && queue.remove(mine);
    }

    /* Called by the holder of a queue. */
    private void passOn(QueryItem item) {
        if (isEnded(item)) {
            return;
        }
        try {
            List<Waiting<E>> batch = new ArrayList<>();
            threads.newThread(() -> carryOut(item, batch)).start();
        } catch (Throwable failure) {
            // Memory or threads may be used up.
            disband(item);
            BatchThreads.log(LOG, "Cannot start a thread for a batch of decisions; each caller goes on alone", failure);
        }
    }

    private synchronized boolean isEnded(QueryItem item) {
        return queues.computeIfPresent(item, (same, queue) -> queue.isEmpty() ? null : queue) == null;
    }

    private synchronized void disband(QueryItem item) {
        Deque<Waiting<E>> queue = queues.remove(item);
        if (queue != null) {
            queue.forEach(Waiting::leave);
        }
    }

    private synchronized void take(QueryItem item, List<Waiting<E>> batch) {
        Deque<Waiting<E>> queue = queues.get(item);
        while (queue != null && !queue.isEmpty() && batch.size() < MAX_BATCH) {
            batch.add(queue.getFirst());
            queue.removeFirst();
        }
    }

    /* Makes the decisions of a batch, those that wait if it is empty, and passes the queue on. */
    private void carryOut(QueryItem item, List<Waiting<E>> batch) {
        try {
            if (batch.isEmpty()) {
                take(item, batch);
            }
            List<PendingDecision<E, ?>> decisions = new ArrayList<>(batch.size());
            batch.forEach(each -> decisions.add(each.decision));
            step.accept(item, decisions);
        } catch (Throwable failure) {
            // Also an Error: no caller must wait in vain. A decision that is over keeps its result.
            RuntimeException reason = new IllegalStateException("Unexpected error in a decision", failure);
            batch.forEach(each -> each.decision.fail(reason));
        } finally {
            putBackOrLeave(item, batch);
            passOn(item);
        }
    }

    private synchronized void putBackOrLeave(QueryItem item, List<Waiting<E>> batch) {
        Deque<Waiting<E>> queue = queues.get(item);
        try {
            for (Waiting<E> each : batch.reversed()) {
                if (queue != null && each.decision.isWaitingFor(item)) {
                    queue.addFirst(each);
                    // Its caller may have given up meanwhile.
                    each.wake();
                } else {
                    each.leave();
                }
            }
        } catch (Throwable failure) {
            disband(item);
            batch.forEach(Waiting::leave);
            throw failure;
        }
    }

    /** The number of decisions that wait in the queue of an item. */
    synchronized int waiting(QueryItem item) {
        Deque<Waiting<E>> queue = queues.get(item);
        return queue == null ? 0 : queue.size();
    }

    /** The number of waiting decisions of each item that has any. */
    synchronized Map<QueryItem, Integer> waiting() {
        Map<QueryItem, Integer> waiting = new HashMap<>();
        queues.forEach((item, queue) -> {
            if (!queue.isEmpty()) {
                waiting.put(item, queue.size());
            }
        });
        return waiting;
    }
}
