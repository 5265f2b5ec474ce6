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
 * A bounded wait queue whose callers do the work themselves: one of them, the leader, carries out a batch of the
 * waiting requests, its own and the others', while the others wait for their answers.
 *
 * @param <R> the requests
 */
public final class CombiningQueue<R extends CombiningQueue.Request> {
    /*
     * This is flat combining (Hendler, Incze, Shavit, Tzafrir: Flat Combining and the Synchronization-Parallelism
     * Tradeoff, SPAA 2010) with a queue in place of the publication list, because waiting has to be bounded and fair. A
     * caller that finds a leader's place free leads at once. When it has its own answer it passes its place to the first
     * request that waits. No thread belongs to the queue, and an uncontended request costs three short critical sections.
     *
     * States. A request is WAITING (in the queue), TAKEN (in a leader's batch) or DONE. Under the lock it changes from
     * WAITING to TAKEN (take), back (putBack), from WAITING to DONE (withdraw, or a failure while it is chosen), and from
     * TAKEN to DONE if its caller stops waiting for the leader. Without the lock only the leader whose batch holds it moves
     * it from TAKEN to DONE. So at most one leader works on a request, no leader takes a withdrawn request, and each request
     * has one answer.
     *
     * Once a request is DONE, its caller may submit it again while the earlier leader still has it among its members. That
     * leader must not touch it any more, so each batch compares "holder" with itself. submit() writes "holder" before
     * "state", take() likewise, and a leader reads them in the other order: if it reads a state of the later submission, it
     * reads that submission's holder as well.
     *
     * Memory ordering. The fields of a request may be plain, although several threads write them one after the other:
     * - What the caller writes before submit() happens before join() releases the lock, and a leader reads the request only
     *   after take() has acquired the lock.
     * - What a leader writes to a request that it puts back happens before putBack() releases the lock. The next leader, and
     *   a caller that withdraws, acquire the lock first.
     * - What a leader writes to a request that it answers happens before the volatile write in done(). The caller leaves
     *   submit() only after it has read that value. done() is therefore the last that a leader does with what the caller
     *   reads; a plain field that the leader changes later is its own.
     * - park() and unpark() order nothing and need not: a caller reads "state" and "leads", both volatile, before each
     *   park(), and both are written before unpark(). An unpark() that comes before the park() lets it return at once, so
     *   no wake-up is lost. One that comes too late makes some later park() of that thread return early, which park() may
     *   do at any time.
     *
     * No lost leadership. "leaders" changes under the lock only. A leader passes its place on in a finally block; passOn()
     * gives it to the first waiting request or frees it, and join() looks for a free place under the same lock. So a
     * request waits only while somebody leads or holds a place. Requests are taken in their order, and those that are put
     * back go to the front. A request that is passed over stays where it is and is the first to lead.
     *
     * Interrupts. An interrupt is a reason to give up, as is the request's time-out. A caller that gives up withdraws its
     * request if the request still waits; then it is never carried out. If a leader has taken the request, the caller waits
     * for the answer, unless the request can be abandoned. A request that stands for several callers is not withdrawn
     * because one of them is interrupted (isInterruptible). A leader works for others: the interrupt is held back while it
     * leads, and the work may ask for it (isInterrupted). The thread's interrupt flag is set again when submit() ends.
     *
     * Errors. Each request that a leader has taken is answered or put back when the leader's step ends; the queue abandons
     * what is left, whatever was thrown, an Error included. Abandoning, putting the flag back and passing on allocate
     * nothing.
     */
    private static final Logger LOG = LoggerFactory.getLogger(CombiningQueue.class);
    private static final long LOOK_AGAIN = Duration.ofSeconds(1).toNanos();

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
        /** A leader is done with the request: it was answered or abandoned. */
        ANSWERED,
        /** Too many requests wait; nothing was done. */
        FULL,
        /** The queue takes no more requests; nothing was done. */
        CLOSED,
        /** The request timed out before it was taken, or before the answer if it can be abandoned. */
        TIMED_OUT,
        /** The caller was interrupted before the request was taken, or before the answer if it can be abandoned. */
        INTERRUPTED
    }

    /** What a leader does with a waiting request. */
    public enum Choice {
        TAKE,
        /** The request waits on, at its place. */
        SKIP,
        /** This request and those behind it wait on. */
        STOP
    }

    private enum State {
        WAITING,
        TAKEN,
        DONE
    }

    /**
     * A request of the thread that creates it. The caller may submit it again, to the same queue or to another, when it
     * is done.
     */
    public abstract static class Request {
        private final Thread caller = Thread.currentThread();
        private volatile State state = State.WAITING;
        /** The batch that has taken it; null since the caller submitted it last, or since it was put back. */
        private volatile @Nullable Object holder;

        private volatile boolean leads;
        private boolean givesUp;
        private boolean interrupted;

        /**
         * Nanoseconds that the caller goes on waiting; zero or less ends the wait. The caller's thread asks for it,
         * also under the queue's lock.
         */
        protected abstract long nanosLeft();

        /** Whether an interrupt of the caller withdraws the request. */
        protected boolean isInterruptible() {
            return true;
        }

        /** Whether the caller may leave a request that a leader has taken. The answer is then lost. */
        protected boolean isAbandonable() {
            return false;
        }

        /**
         * Notes that no leader will answer the request. Must not allocate memory.
         *
         * @param mistake what the leader failed with; null if it has left the request without an answer
         */
        protected abstract void abandon(@Nullable Throwable mistake);

        /** Ends the request, with what was noted as its answer, and wakes its caller. A leader's last step with it. */
        protected final void done() {
            state = State.DONE;
            wake();
        }

        /** Whether it is done. What was noted as its answer is visible then. */
        public final boolean isDone() {
            return state == State.DONE;
        }

        /** Whether a leader works on it. */
        public final boolean isTaken() {
            return state == State.TAKEN;
        }

        /** Whether its caller leads. */
        public final boolean leads() {
            return leads;
        }

        /** Whether this thread created it. */
        protected final boolean isOfThisThread() {
            return caller.equals(Thread.currentThread());
        }

        /**
         * Whether its caller was interrupted, also while the queue holds the interrupt back. Only the caller may ask.
         */
        public final boolean isInterrupted() {
            return interrupted || Thread.currentThread().isInterrupted();
        }

        /* Not its own thread: that would only cut its next pause short. */
        private void wake() {
            if (!isOfThisThread()) {
                LockSupport.unpark(caller);
            }
        }
    }

    /**
     * A queue.
     *
     * @param maxLeaders callers that may lead at a time, 1 or more
     * @param maxWaiting requests that may wait while no leader's place is free, 0 or more
     */
    public CombiningQueue(int maxLeaders, int maxWaiting) {
        this(maxLeaders, maxWaiting, null, new ReentrantLock());
    }

    /**
     * A queue that closes as soon as no place is taken any more. Nothing waits in it then.
     *
     * @param maxLeaders callers that may lead at a time, 1 or more
     * @param maxWaiting requests that may wait while no leader's place is free, 0 or more
     * @param whenIdle given the queue once, after it has closed, by the last caller that led or held a place
     */
    public CombiningQueue(int maxLeaders, int maxWaiting, Consumer<CombiningQueue<R>> whenIdle) {
        this(maxLeaders, maxWaiting, whenIdle, new ReentrantLock());
    }

    CombiningQueue(int maxLeaders, int maxWaiting, @Nullable Consumer<CombiningQueue<R>> whenIdle, Lock lock) {
        if (maxLeaders < 1 || maxWaiting < 0) {
            throw new IllegalArgumentException(
                    "A queue has 1 leader or more and room for 0 requests or more, but was to have %d and %d"
                            .formatted(maxLeaders, maxWaiting));
        }
        this.maxLeaders = maxLeaders;
        this.maxWaiting = maxWaiting;
        this.whenIdle = whenIdle;
        this.lock = lock;
    }

    /**
     * Waits until a request is done, and leads if it is its turn.
     *
     * @param mine a request of the current thread that is in no queue
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
        } catch (RuntimeException | Error mistake) {
            if (!leave(mine, mistake)) {
                throw mistake;
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

    /* Null when the request is done, or its caller is to lead. */
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
                left = request.isTaken() ? LOOK_AGAIN : 0;
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

    /* Null if the caller has to wait on. The time left is asked for again: the request may just have been put back. */
    private @Nullable Ending withdraw(R mine) {
        Request request = mine;
        lock.lock();
        try {
            long left = request.nanosLeft();
            // Read once: a leader may finish with a request that it has taken at any moment.
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
            } catch (RuntimeException | Error mistake) {
                if (!batch.used) {
                    throw mistake;
                }
                if (!batch.abandon(mistake)) {
                    LOG.error("Unexpected error after all requests of a batch were answered or put back", mistake);
                }
            } finally {
                batch.abandon(null);
            }
        }
    }

    /* True if the request is answered: a leader has taken it, or is even done with it. */
    private boolean leave(R mine, Throwable mistake) {
        lock.lock();
        try {
            queue.remove(mine);
            Request request = mine;
            boolean isAnswered = request.state != State.WAITING;
            if (isAnswered) {
                abandon(mine, mistake);
            }
            request.state = State.DONE;
            return isAnswered;
        } finally {
            lock.unlock();
        }
    }

    private boolean abandon(R request, @Nullable Throwable mistake) {
        if (request.isDone()) {
            return false;
        }
        request.abandon(mistake);
        ((Request) request).done();
        return true;
    }

    private void passOn() {
        if (isLast() && whenIdle != null) {
            whenIdle.accept(this);
        }
    }

    /* Gives a place to the first request that waits, or frees it. True if that closed a queue that closes when idle. */
    private boolean isLast() {
        lock.lock();
        try {
            // First, so that the next caller can lead even if this fails.
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
            // A request in the queue leads by now, so an idle queue is an empty one.
            boolean closes = whenIdle != null && leaders == 0 && !closed;
            closed |= closes;
            return closes;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a leader's place without a request, if one is free. Requests gather until {@link #release()}.
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

    /** Passes a place on that {@link #hold()} has taken. */
    public void release() {
        passOn();
    }

    /** Changes those of some requests that wait. No leader takes one of them meanwhile, and none is withdrawn. */
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

    /** Requests that wait. */
    public int waiting() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes no more requests, and waits until those that are here are done.
     *
     * @param longest that it waits
     * @return whether all are done; false also if the thread was interrupted, whose flag is then set
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

        /** The leader's own request. It may be in the batch or wait. */
        public R leader() {
            return leader;
        }

        /** A view of the requests that were taken and not put back, in the order in which they were taken. */
        public List<R> members() {
            return Collections.unmodifiableList(members);
        }

        /**
         * Takes waiting requests, from the front.
         *
         * @param chooses called for each under the queue's lock; a request that it fails for is abandoned
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
            } catch (RuntimeException | Error mistake) {
                if (candidate != null) {
                    used = true;
                    queue.remove(candidate);
                    CombiningQueue.this.abandon(candidate, mistake);
                }
                throw mistake;
            } finally {
                lock.unlock();
            }
        }

        /** Takes the first requests. */
        public void takeFirst(int most) {
            take(request -> members.size() < most ? Choice.TAKE : Choice.STOP);
        }

        /** Puts members back to the front of the queue, in their order, except for those that are done. */
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
                    // From now on it is no member any more, also if one of the next fails.
                    members.remove(member);
                }
            } finally {
                lock.unlock();
            }
        }

        private boolean abandon(@Nullable Throwable mistake) {
            boolean abandoned = false;
            for (int i = 0; i < members.size(); i++) {
                R member = members.get(i);
                abandoned |= holds(member) && CombiningQueue.this.abandon(member, mistake);
            }
            return abandoned;
        }

        /* A request that is done may have been submitted again since. The order of the reads matters. */
        private boolean holds(Request request) {
            return request.isTaken() && equals(request.holder);
        }
    }
}
