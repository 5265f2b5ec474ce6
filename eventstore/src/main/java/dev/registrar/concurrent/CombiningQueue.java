package dev.registrar.concurrent;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
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
 * A bounded wait queue whose callers do the work themselves. One caller, the leader, carries out a batch of waiting
 * requests, its own included, while the other callers wait for their answers.
 *
 * @param <R> the type of the requests
 */
public final class CombiningQueue<R extends CombiningQueue.Request> {
    /*
     * This is flat combining (Hendler, Incze, Shavit, Tzafrir: Flat Combining and the Synchronization-Parallelism
     * Tradeoff, SPAA 2010) with a queue in place of the publication list, because waiting must be bounded and fair. A
     * caller that finds a leader's place free leads at once. When it has its own answer, it passes its place to the
     * first waiting request. The queue has no threads of its own, and an uncontended request costs three short critical
     * sections.
     *
     * States. A request is WAITING (in the queue), TAKEN (in a leader's batch) or DONE. These changes happen under the
     * lock: WAITING to TAKEN (take) and back (putBack), WAITING to DONE (withdraw, or a failure while it is chosen),
     * and TAKEN to DONE if its caller stops waiting for the leader. Without the lock, only the leader whose batch holds
     * the request changes it from TAKEN to DONE. So at most one leader works on a request, no leader takes a withdrawn
     * request, and each request has one answer.
     *
     * Once a request is DONE, its caller may submit it again while the earlier leader still has it among its members.
     * That leader must no longer touch the request, so each batch compares "holder" with itself. submit() and take()
     * write "holder" before "state", and a leader reads them in the other order. So a leader that reads the state of
     * the later submission also reads the holder of that submission.
     *
     * Memory ordering. The fields of a request may be plain, although several threads write them in turn:
     * - What the caller writes before submit() happens before join() releases the lock, and a leader reads the request
     *   only after take() has acquired the lock.
     * - What a leader writes to a request that it puts back happens before putBack() releases the lock. The next leader,
     *   and a caller that withdraws, acquire the lock first.
     * - What a leader writes to a request that it answers happens before the volatile write in done(). The caller
     *   leaves submit() only after it has read that value. done() is therefore a leader's last access to the fields
     *   that the caller reads. A plain field that the leader changes later must not be read by the caller.
     * - The argument needs no memory effects of park() and unpark(): a caller reads "state" and "leads", both volatile,
     *   before each park(), and both are written before unpark(). An unpark() that comes before the park() lets it
     *   return at once, so no wake-up is lost. A late unpark() makes a later park() of that thread return early, which
     *   park() may do at any time.
     *
     * No lost leadership. "leaders" changes under the lock only. A leader passes its place on in a finally block.
     * passOn() gives the place to the first waiting request or frees it, and join() looks for a free place under the
     * same lock. So a request waits only while a caller leads or holds a place. Requests are taken in queue order, and
     * requests that are put back go to the front. A skipped request keeps its place and is the first to lead.
     *
     * Interrupts. A caller gives up when it is interrupted or when its request times out. It then withdraws the request
     * if the request still waits, so that the request is never carried out. If a leader has taken the request, the
     * caller waits for the answer, unless the request can be abandoned. A request that represents several callers is
     * not withdrawn when one of them is interrupted (isInterruptible). A leader works for other callers, so the queue
     * holds its interrupt back while it leads. The work can check for it with isInterrupted(). submit() sets the
     * thread's interrupt flag again when it ends.
     *
     * Errors. When a leader's step ends, each request that the leader has taken must be answered or put back. The queue
     * abandons any others, even if the step threw an Error. Abandoning requests, restoring the interrupt flag and
     * passing on leadership allocate no memory.
     */
    private static final Logger LOG = LoggerFactory.getLogger(CombiningQueue.class);
    private static final long RECHECK_INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

    private final int maxLeaders;
    private final int maxWaiting;
    private final @Nullable Consumer<CombiningQueue<R>> whenIdle;
    private final Lock lock;
    private final Deque<R> queue = new ArrayDeque<>(2);
    private int leaders;
    private boolean closed;
    private @Nullable Condition idle;

    /** How a call of {@link #submit} ended. */
    public enum Ending {
        /** A leader has answered or abandoned the request. */
        ANSWERED,
        /** The wait queue is full; the request was not carried out. */
        FULL,
        /** The queue is closed; the request was not carried out. */
        CLOSED,
        /** The request timed out before a leader took it, or before the answer if it can be abandoned. */
        TIMED_OUT,
        /** The caller was interrupted before a leader took the request, or before the answer if it can be abandoned. */
        INTERRUPTED
    }

    /** What a leader does with a waiting request. */
    public enum Choice {
        TAKE,
        /** The request keeps its place and continues to wait. */
        SKIP,
        /** This request and all requests behind it go on waiting. */
        STOP
    }

    private enum State {
        WAITING,
        TAKEN,
        DONE
    }

    /**
     * A request of the thread that creates it. When the request is done, the caller may submit it again, to this queue
     * or another.
     */
    public abstract static class Request {
        private final Thread caller = Thread.currentThread();
        private volatile State state = State.WAITING;
        /** The batch that has taken this request; null while it waits. */
        private volatile @Nullable Object holder;

        private volatile boolean leads;
        private boolean givesUp;
        private boolean interrupted;

        /**
         * The nanoseconds that the caller continues to wait; zero or less ends the wait. Called by the caller's thread,
         * also under the queue's lock.
         */
        protected abstract long nanosLeft();

        /** Whether an interrupt of the caller withdraws the request. */
        protected boolean isInterruptible() {
            return true;
        }

        /** Whether the caller may stop waiting after a leader has taken the request. The answer is then lost. */
        protected boolean isAbandonable() {
            return false;
        }

        /**
         * Records that no leader will answer the request. Must not allocate memory.
         *
         * @param failure what the leader's step threw; null if the step ended without an answer to the request
         */
        protected abstract void abandon(@Nullable Throwable failure);

        /**
         * Ends the request and wakes its caller. The leader sets the answer before this call and does not touch the
         * request afterwards.
         */
        protected final void done() {
            state = State.DONE;
            wake();
        }

        /** Whether the request is done. If so, its answer is visible to the calling thread. */
        public final boolean isDone() {
            return state == State.DONE;
        }

        /** Whether a leader has taken the request and has not answered it yet. */
        public final boolean isTaken() {
            return state == State.TAKEN;
        }

        /** Whether the request's caller leads. */
        public final boolean leads() {
            return leads;
        }

        /** Whether the current thread created the request. */
        protected final boolean isOfThisThread() {
            return caller.equals(Thread.currentThread());
        }

        /**
         * Whether the caller was interrupted, also while the queue holds the interrupt back. Only the caller's thread
         * may call this.
         */
        public final boolean isInterrupted() {
            return interrupted || Thread.currentThread().isInterrupted();
        }

        /* Does not unpark the current thread: that would only cut its next park() short. */
        private void wake() {
            if (!isOfThisThread()) {
                LockSupport.unpark(caller);
            }
        }
    }

    /**
     * Creates a queue.
     *
     * @param maxLeaders how many callers may lead at a time, 1 or more
     * @param maxWaiting how many requests may wait while no leader's place is free, 0 or more
     */
    public CombiningQueue(int maxLeaders, int maxWaiting) {
        this(maxLeaders, maxWaiting, null, new ReentrantLock());
    }

    /**
     * Creates a queue that closes as soon as no leader's place is taken. No request waits in it then.
     *
     * @param maxLeaders how many callers may lead at a time, 1 or more
     * @param maxWaiting how many requests may wait while no leader's place is free, 0 or more
     * @param whenIdle called once with the queue, after it has closed, by the last caller that led or held a place
     */
    public CombiningQueue(int maxLeaders, int maxWaiting, Consumer<CombiningQueue<R>> whenIdle) {
        this(maxLeaders, maxWaiting, whenIdle, new ReentrantLock());
    }

    CombiningQueue(int maxLeaders, int maxWaiting, @Nullable Consumer<CombiningQueue<R>> whenIdle, Lock lock) {
        if (maxLeaders < 1 || maxWaiting < 0) {
            throw new IllegalArgumentException(
                    "A queue must have at least 1 leader and room for at least 0 waiting requests, but has %s and %s"
                            .formatted(maxLeaders, maxWaiting));
        }
        this.maxLeaders = maxLeaders;
        this.maxWaiting = maxWaiting;
        this.whenIdle = whenIdle;
        this.lock = lock;
    }

    /**
     * Submits a request and waits until it is done. The caller leads when it is the request's turn.
     *
     * @param mine a request that the current thread created and that is in no queue
     * @param step carries out one batch; a leader repeats it until its own request is done
     */
    public Ending submit(R mine, Consumer<Batch> step) {
        Request request = mine;
        request.holder = null;
        request.state = State.WAITING;
        request.givesUp = false;
        request.interrupted = false;
        try {
            Ending ending = join(mine);
            if (ending == null) {
                ending = await(mine);
            }
            if (ending == null && request.leads) {
                lead(mine, step);
            }
            return ending == null ? Ending.ANSWERED : ending;
        } catch (RuntimeException | Error failure) {
            if (!leave(mine, failure)) {
                throw failure;
            }
            return Ending.ANSWERED;
        } finally {
            if (request.leads) {
                request.leads = false;
                passOn();
            }
            if (request.interrupted) {
                request.interrupted = false;
                Thread.currentThread().interrupt();
            }
        }
    }

    private @Nullable Ending join(R mine) {
        lock.lock();
        try {
            if (closed) {
                return Ending.CLOSED;
            }
            boolean isPlaceFree = leaders < maxLeaders;
            if (!isPlaceFree && queue.size() >= maxWaiting) {
                return Ending.FULL;
            }
            queue.addLast(mine);
            if (isPlaceFree) {
                leaders++;
                ((Request) mine).leads = true;
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /* Null when the request is done or its caller leads. */
    private @Nullable Ending await(R mine) {
        Request request = mine;
        while (!request.isDone() && !request.leads) {
            request.interrupted |= Thread.interrupted();
            long left = request.nanosLeft();
            if (isGivenUp(request, left)) {
                Ending ending = withdraw(mine);
                if (ending != null) {
                    return ending;
                }
                left = request.isTaken() ? RECHECK_INTERVAL_NANOS : 0;
            }
            if (left > 0) {
                LockSupport.parkNanos(this, left);
            }
        }
        return null;
    }

    private static boolean isGivenUp(Request request, long left) {
        return left <= 0 || (request.interrupted && request.isInterruptible());
    }

    /* Null if the caller must go on waiting. Reads the time left again: the request may just have been put back. */
    private @Nullable Ending withdraw(R mine) {
        Request request = mine;
        lock.lock();
        try {
            long left = request.nanosLeft();
            // Read once: a leader may answer a request that it has taken at any moment.
            State now = request.state;
            if (now == State.DONE || !isGivenUp(request, left)) {
                return null;
            }
            if (now == State.TAKEN && !request.isAbandonable()) {
                request.givesUp = true;
                return null;
            }
            queue.remove(mine);
            request.state = State.DONE;
            return left <= 0 ? Ending.TIMED_OUT : Ending.INTERRUPTED;
        } finally {
            lock.unlock();
        }
    }

    private void lead(R mine, Consumer<Batch> step) {
        Request request = mine;
        while (!request.isDone()) {
            request.interrupted |= Thread.interrupted();
            Batch batch = new Batch(mine);
            try {
                step.accept(batch);
            } catch (RuntimeException | Error failure) {
                if (!batch.used) {
                    throw failure;
                }
                if (!batch.abandon(failure)) {
                    LOG.error("Unexpected error after all requests of a batch were answered or put back", failure);
                }
            } finally {
                batch.abandon(null);
            }
        }
    }

    /* True if a leader has taken the request, or has answered it already. */
    private boolean leave(R mine, Throwable failure) {
        lock.lock();
        try {
            queue.remove(mine);
            Request request = mine;
            boolean isAnswered = request.state != State.WAITING;
            if (isAnswered) {
                abandon(mine, failure);
            }
            request.state = State.DONE;
            return isAnswered;
        } finally {
            lock.unlock();
        }
    }

    private boolean abandon(R request, @Nullable Throwable failure) {
        if (request.isDone()) {
            return false;
        }
        request.abandon(failure);
        ((Request) request).done();
        return true;
    }

    private void passOn() {
        if (isLast() && whenIdle != null) {
            whenIdle.accept(this);
        }
    }

    /* Gives the place to the first waiting request, or frees it. True if that closed a queue that closes when idle. */
    private boolean isLast() {
        lock.lock();
        try {
            // First, so that the next caller can lead even if the rest fails.
            leaders--;
            for (R next : queue) {
                Request request = next;
                if (!request.leads) {
                    leaders++;
                    request.leads = true;
                    request.wake();
                    return false;
                }
            }
            if (idle != null) {
                idle.signalAll();
            }
            // A request in the queue would lead by now, so an idle queue is empty.
            boolean closes = whenIdle != null && leaders == 0 && !closed;
            closed |= closes;
            return closes;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a leader's place without a request, if a place is free. Requests wait until {@link #release()}.
     *
     * @return whether a place was free
     */
    public boolean hold() {
        lock.lock();
        try {
            if (closed || leaders == maxLeaders) {
                return false;
            }
            leaders++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Passes on the place that {@link #hold()} has taken. */
    public void release() {
        passOn();
    }

    /**
     * Applies a change to each given request that still waits. Meanwhile no leader takes and no caller withdraws any of
     * them.
     */
    public void forEachWaiting(List<R> requests, Consumer<R> change) {
        if (requests.isEmpty()) {
            return;
        }
        lock.lock();
        try {
            for (R request : requests) {
                if (((Request) request).state == State.WAITING) {
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
            closed = true;
            Condition changed = idle == null ? lock.newCondition() : idle;
            idle = changed;
            while (leaders > 0 && left > 0) {
                left = changed.awaitNanos(left);
            }
            return leaders == 0;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** The requests that a leader carries out in one step. */
    public final class Batch {
        private final R leader;
        private final List<R> members = new ArrayList<>();
        private boolean used;

        private Batch(R leader) {
            this.leader = leader;
        }

        /** The leader's own request: a member of this batch, or still waiting. */
        public R leader() {
            return leader;
        }

        /** A view of the requests that this batch has taken and not put back, in the order in which it took them. */
        public List<R> members() {
            return Collections.unmodifiableList(members);
        }

        /**
         * Takes waiting requests, from the front.
         *
         * @param chooses called for each request under the queue's lock; if it throws, the request is abandoned
         */
        public void take(Function<R, Choice> chooses) {
            @Nullable R candidate = null;
            lock.lock();
            try {
                Iterator<R> waiting = queue.iterator();
                while (waiting.hasNext()) {
                    candidate = waiting.next();
                    Request request = candidate;
                    if (request.leads && !candidate.equals(leader)) {
                        continue;
                    }
                    switch (chooses.apply(candidate)) {
                        case TAKE -> {
                            members.add(candidate);
                            used = true;
                            request.holder = this;
                            request.state = State.TAKEN;
                            waiting.remove();
                        }
                        case SKIP -> {}
                        case STOP -> {
                            return;
                        }
                    }
                }
            } catch (RuntimeException | Error failure) {
                if (candidate != null) {
                    used = true;
                    queue.remove(candidate);
                    CombiningQueue.this.abandon(candidate, failure);
                }
                throw failure;
            } finally {
                lock.unlock();
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
                for (int i = requests.size() - 1; i >= 0; i--) {
                    R member = requests.get(i);
                    Request request = member;
                    if (holds(request)) {
                        queue.addFirst(member);
                        request.holder = null;
                        request.state = State.WAITING;
                        if (request.givesUp) {
                            request.wake();
                        }
                    }
                    // No longer a member, even if a later request in this loop fails.
                    members.remove(member);
                }
            } finally {
                lock.unlock();
            }
        }

        private boolean abandon(@Nullable Throwable failure) {
            boolean abandoned = false;
            for (int i = 0; i < members.size(); i++) {
                R member = members.get(i);
                abandoned |= holds(member) && CombiningQueue.this.abandon(member, failure);
            }
            return abandoned;
        }

        /* A finished request may have been submitted again. The order of the two reads matters. */
        private boolean holds(Request request) {
            return request.isTaken() && equals(request.holder);
        }
    }
}
