package dev.registrar.concurrent;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bounded wait queue whose requests are carried out in batches, a bounded number of batches at a time. A caller that
 * finds the queue idle carries out its own request, alone. All other requests are carried out by threads of the queue.
 *
 * @param <R> the type of the requests
 */
public final class CombiningQueue<R extends CombiningQueue.Request> {
    /*
     * Places. A batch needs a place. A caller that finds a free place takes it, for its own request or for a new thread.
     * When a batch ends, its place passes to a new thread if requests wait, and becomes free otherwise. Both happen
     * under the lock, so a request waits only while a place is taken. Each batch has a thread of its own: a virtual
     * thread costs about a microsecond, and the callers of the last batch can submit their next requests before it
     * runs. For the same reason a caller does not carry out its request itself after a batch of several requests. If no
     * thread can be started, the waiting requests are abandoned and the place becomes free, so none waits in vain.
     *
     * Interrupts. No caller's thread works for another caller. So the interrupt of one caller, which closes the socket
     * that a virtual thread waits for, fails no other. An interrupted caller withdraws its request if it still waits.
     * If it has been taken, the caller waits for the answer, unless the request can be abandoned.
     *
     * States. A request is WAITING (in the queue), TAKEN (in a batch) or DONE. Each change is made under the lock, but
     * for two: the thread of its batch changes TAKEN to DONE, and a caller takes its own request, which is in no queue.
     * So at most one batch has a request, no batch takes a withdrawn request, and each request has one answer. A request
     * is submitted once.
     *
     * Memory ordering. The fields of a request may be plain, although several threads write them in turn. What a thread
     * writes before it releases the lock in join() or putBack() happens before take() or withdraw() acquires the lock.
     * What the thread of a batch writes before done() happens before its caller reads DONE. done() must be the last
     * access to the request. A caller reads the state before each park(), so no wake-up is lost.
     *
     * Errors. When a step ends, each request that it has taken must be answered or put back. Others are abandoned, even
     * if the step threw an Error.
     */
    private static final Logger LOG = LoggerFactory.getLogger(CombiningQueue.class);

    /**
     * Before Java 24 (JEP 491) a caller that waits in a synchronized block keeps its carrier thread. If all carriers
     * are kept, no virtual thread can work for their callers.
     */
    private static final boolean WAITING_KEEPS_CARRIERS = Runtime.version().feature() < 24;

    private final int places;
    private final int maxWaiting;
    private final Consumer<CombiningQueue<R>.Batch> step;
    private final Lock lock;
    private final ThreadFactory threads;
    private final Consumer<CombiningQueue<R>> whenIdle;
    private final Deque<R> queue = new ArrayDeque<>();
    private int taken;
    /** Null until the queue is closed; signalled when a place becomes free. */
    private @Nullable Condition closing;

    private volatile boolean lastWasShared;

    /** How a call of {@link #submit} ended. */
    public enum Ending {
        /** The request was answered or abandoned. */
        ANSWERED,
        /** The wait queue is full; the request was not carried out. */
        FULL,
        /** The queue is closed; the request was not carried out. */
        CLOSED,
        /** The request timed out before it was taken, or before the answer if it can be abandoned. */
        TIMED_OUT,
        /** The caller was interrupted before the request was taken, or before the answer if it can be abandoned. */
        INTERRUPTED
    }

    /** What a step does with a waiting request. */
    public enum Choice {
        TAKE,
        /** The request keeps its place and continues to wait. */
        SKIP,
        /** This request and all requests behind it go on waiting. */
        STOP
    }

    enum State {
        WAITING,
        TAKEN,
        DONE
    }

    /** A request of the thread that creates it, which submits it once. */
    public abstract static class Request {
        private final Thread caller = Thread.currentThread();
        private boolean abandoned;
        private @Nullable Throwable cause;
        volatile State state = State.WAITING;
        boolean interrupted;

        /**
         * The nanoseconds that the caller continues to wait; zero or less ends the wait. Called by the caller's thread,
         * also under the queue's lock.
         */
        protected abstract long nanosLeft();

        /** Whether the caller may stop waiting after the request was taken. The answer is then lost. */
        protected boolean isAbandonable() {
            return false;
        }

        /** Ends the request and wakes its caller. The step sets the answer before and does not touch it afterwards. */
        protected final void done() {
            state = State.DONE;
            wake();
        }

        /** Whether a batch has taken the request and has not answered it yet. */
        protected final boolean isTaken() {
            return state == State.TAKEN;
        }

        /** Whether the request is done without an answer. */
        protected final boolean isAbandoned() {
            return abandoned;
        }

        /** What the step threw, or why no thread could be started; null if the step ended without an answer. */
        protected final @Nullable Throwable abandonCause() {
            return cause;
        }

        final boolean isGivenUp() {
            return nanosLeft() <= 0 || interrupted;
        }

        final void abandon(@Nullable Throwable reason) {
            cause = reason;
            abandoned = true;
            done();
        }

        final void wake() {
            if (!caller.equals(Thread.currentThread())) {
                LockSupport.unpark(caller);
            }
        }
    }

    /**
     * Creates a queue.
     *
     * @param name the name of its threads
     * @param places how many batches may be under way, 1 or more
     * @param maxWaiting how many requests may wait while no place is free, 0 or more
     * @param step carries out a batch, which may turn out to be empty
     */
    public CombiningQueue(String name, int places, int maxWaiting, Consumer<CombiningQueue<R>.Batch> step) {
        this(places, maxWaiting, step, new ReentrantLock(), threads(name), idle -> {});
    }

    /**
     * Creates a queue for one batch at a time that its user may discard when it is idle. The number of waiting requests
     * has no bound.
     *
     * @param threads see {@link #threads}
     * @param whenIdle called under the queue's lock when the place becomes free; no request waits then, but those that
     *     are abandoned because no thread could be started
     */
    public CombiningQueue(
            ThreadFactory threads, Consumer<CombiningQueue<R>.Batch> step, Consumer<CombiningQueue<R>> whenIdle) {
        this(1, Integer.MAX_VALUE, step, new ReentrantLock(), threads, whenIdle);
    }

    CombiningQueue(
            int places,
            int maxWaiting,
            Consumer<CombiningQueue<R>.Batch> step,
            Lock lock,
            ThreadFactory threads,
            Consumer<CombiningQueue<R>> whenIdle) {
        if (places < 1 || maxWaiting < 0) {
            throw new IllegalArgumentException(
                    "A queue must have at least 1 place and room for at least 0 waiting requests, but has %s and %s"
                            .formatted(places, maxWaiting));
        }
        this.places = places;
        this.maxWaiting = maxWaiting;
        this.step = step;
        this.lock = lock;
        this.threads = threads;
        this.whenIdle = whenIdle;
    }

    /** The threads of batches, one for each batch. They inherit nothing from the thread that starts them. */
    public static ThreadFactory threads(String name) {
        return (WAITING_KEEPS_CARRIERS ? Thread.ofPlatform().daemon() : Thread.ofVirtual())
                .name(name)
                .inheritInheritableThreadLocals(false)
                .factory();
    }

    /** Submits a request, and waits until it is done. An interrupt of the caller is kept until then. */
    public Ending submit(R mine) {
        mine.interrupted = Thread.interrupted();
        try {
            Ending refusal = join(mine);
            return refusal == null ? await(mine) : refusal;
        } finally {
            if (mine.interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private @Nullable Ending join(R mine) {
        boolean isAlone;
        lock.lock();
        try {
            if (closing != null) {
                return Ending.CLOSED;
            }
            if (taken == places) {
                if (queue.size() >= maxWaiting) {
                    return Ending.FULL;
                }
                queue.addLast(mine);
                return null;
            }
            isAlone = queue.isEmpty() && !lastWasShared;
            if (!isAlone) {
                queue.addLast(mine);
            }
            taken++;
        } finally {
            lock.unlock();
        }
        if (isAlone) {
            work(mine);
        } else {
            startThread();
        }
        return null;
    }

    private Ending await(R mine) {
        while (mine.state != State.DONE) {
            mine.interrupted |= Thread.interrupted();
            if (!mine.isGivenUp()) {
                LockSupport.parkNanos(this, mine.nanosLeft());
                continue;
            }
            Ending ending = withdraw(mine);
            if (ending != null) {
                return ending;
            }
            if (mine.isTaken()) {
                LockSupport.park(this);
            }
        }
        return Ending.ANSWERED;
    }

    /* Null if the caller must go on waiting. Reads the time left again: the request may just have been put back. */
    private @Nullable Ending withdraw(R mine) {
        lock.lock();
        try {
            // Read once: a request that was taken may be answered at any moment.
            State now = mine.state;
            if (now == State.DONE || !mine.isGivenUp() || (now == State.TAKEN && !mine.isAbandonable())) {
                return null;
            }
            queue.remove(mine);
            mine.state = State.DONE;
            return mine.nanosLeft() <= 0 ? Ending.TIMED_OUT : Ending.INTERRUPTED;
        } finally {
            lock.unlock();
        }
    }

    /* Carries out the given request alone, or a batch of waiting requests, on a place that then passes on. */
    private void work(@Nullable R own) {
        try {
            Batch batch = new Batch(own);
            try {
                step.accept(batch);
                batch.end(null);
            } catch (Throwable failure) {
                // Also an Error: no caller must wait in vain.
                batch.end(failure);
            }
        } finally {
            passOn();
        }
    }

    /** Takes a place of a new queue without a request, so that requests wait until {@link #release}. */
    public void hold() {
        lock.lock();
        try {
            taken++;
        } finally {
            lock.unlock();
        }
    }

    /** Gives up the place that {@link #hold} took: the next batch has the requests that wait. */
    public void release() {
        passOn();
    }

    private void passOn() {
        lock.lock();
        try {
            if (queue.isEmpty()) {
                freePlace();
                return;
            }
        } finally {
            lock.unlock();
        }
        startThread();
    }

    /* Called under the lock. */
    private void freePlace() {
        taken--;
        whenIdle.accept(this);
        if (closing != null) {
            closing.signalAll();
        }
    }

    /* Starts a thread on a place that is taken. Memory or threads may be used up. */
    private void startThread() {
        try {
            threads.newThread(() -> work(null)).start();
        } catch (Throwable failure) {
            lock.lock();
            try {
                freePlace();
                lastWasShared = false;
                for (R next = queue.poll(); next != null; next = queue.poll()) {
                    next.abandon(failure);
                }
            } finally {
                lock.unlock();
            }
            log("Cannot start a thread for a batch; the waiting requests are abandoned", failure);
        }
    }

    /* Logs an error if there is memory for the line. If not, that must not keep a batch from its end. */
    private static void log(String line, @Nullable Throwable failure) {
        try {
            LOG.error(line, failure);
        } catch (Throwable unlogged) {
            // Nothing is left that could report it.
        }
    }

    /**
     * Applies a change to each given request that still waits. Meanwhile no batch takes and no caller withdraws any of
     * them. This does not hold for the own request of another thread, which is not in the queue.
     */
    public void forEachWaiting(List<R> requests, Consumer<R> change) {
        if (requests.isEmpty()) {
            return;
        }
        lock.lock();
        try {
            for (R request : requests) {
                if (request.state == State.WAITING) {
                    change.accept(request);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** The number of waiting requests. */
    public int waiting() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes the queue for new requests and waits until the present ones are done.
     *
     * @param longest the upper bound of the wait
     * @return whether all requests are done; false also if the thread was interrupted, in which case its interrupt flag
     *     is set
     */
    public boolean close(Duration longest) {
        long left = longest.toNanos();
        lock.lock();
        try {
            Condition changed = closing == null ? lock.newCondition() : closing;
            closing = changed;
            while (taken > 0 && left > 0) {
                left = changed.awaitNanos(left);
            }
            return taken == 0;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** The requests that are carried out in one step. */
    public final class Batch {
        /** The request of the thread itself, which is carried out alone; null for waiting requests. */
        private final @Nullable R own;

        private final List<R> members = new ArrayList<>();
        private int took;

        private Batch(@Nullable R own) {
            this.own = own;
        }

        /** A view of the requests that this batch has taken and not put back, in the order in which it took them. */
        public List<R> members() {
            return Collections.unmodifiableList(members);
        }

        /** Whether the last batch with requests had several; their callers may be about to submit the next ones. */
        public boolean followsShared() {
            return lastWasShared;
        }

        /**
         * Takes waiting requests, from the front.
         *
         * @param chooses called for each request while no other thread can take or withdraw it; if it throws, the
         *     request becomes a member
         */
        public void take(Function<R, Choice> chooses) {
            if (own != null) {
                if (took == 0) {
                    offer(own, chooses, null);
                }
                return;
            }
            lock.lock();
            try {
                Choice choice = Choice.TAKE;
                for (Iterator<R> waiting = queue.iterator(); choice != Choice.STOP && waiting.hasNext(); ) {
                    choice = offer(waiting.next(), chooses, waiting);
                }
            } finally {
                lock.unlock();
            }
        }

        private Choice offer(R candidate, Function<R, Choice> chooses, @Nullable Iterator<R> waiting) {
            Choice choice = Choice.TAKE;
            try {
                choice = chooses.apply(candidate);
                return choice;
            } finally {
                if (choice == Choice.TAKE) {
                    members.add(candidate);
                    candidate.state = State.TAKEN;
                    took++;
                    if (waiting != null) {
                        waiting.remove();
                    }
                }
            }
        }

        /** Takes waiting requests from the front until the batch has the given number of members. */
        public void takeFirst(int most) {
            take(request -> members.size() < most ? Choice.TAKE : Choice.STOP);
        }

        /** Puts members back at the front of the queue, in their order, except for requests that are done. */
        public void putBack(List<R> requests) {
            if (requests.isEmpty()) {
                return;
            }
            lock.lock();
            try {
                for (R member : List.copyOf(requests).reversed()) {
                    if (member.isTaken()) {
                        queue.addFirst(member);
                        member.state = State.WAITING;
                        // Its caller may have given up meanwhile.
                        member.wake();
                    }
                    members.remove(member);
                }
            } finally {
                lock.unlock();
            }
        }

        private void end(@Nullable Throwable failure) {
            if (took == 0 && (own != null || failure != null)) {
                // The request that the next batch would begin with. Otherwise each batch might fail in the same way.
                takeFirst(1);
                if (failure == null) {
                    putBack(members);
                }
            }
            boolean isReported = failure == null;
            // By index, which needs no memory: it may be used up.
            for (int i = 0; i < members.size(); i++) {
                R member = members.get(i);
                if (member.isTaken()) {
                    member.abandon(failure);
                    isReported = true;
                }
            }
            lastWasShared = took == 0 ? lastWasShared : took > 1;
            if (!isReported) {
                log("Unexpected error after the requests of a batch were done or put back", failure);
            }
        }
    }
}
