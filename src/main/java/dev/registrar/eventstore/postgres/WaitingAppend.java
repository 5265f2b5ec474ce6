package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.RefusedInputException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A caller's request, or chain of requests, from the moment it joins the queue until it is answered. All of it leaves
 * in one group.
 */
final class WaitingAppend {
    private final List<Append> chain;
    private final Thread caller = Thread.currentThread();
    private final long since = System.nanoTime();
    private final int events;
    private final long bytes;
    private final Duration patience;

    private boolean sent;
    private boolean doomed;
    private volatile boolean leads;
    private volatile @Nullable List<AppendVerdict> verdicts;
    private volatile @Nullable RuntimeException failure;

    WaitingAppend(List<Append> chain, long bytes, Duration patience) {
        this.chain = chain;
        int sumOfEvents = 0;
        for (Append request : chain) {
            sumOfEvents += request.events().size();
        }
        this.events = sumOfEvents;
        this.bytes = bytes;
        this.patience = patience;
    }

    List<Append> chain() {
        return chain;
    }

    int events() {
        return events;
    }

    long bytes() {
        return bytes;
    }

    /** How long it may wait for its group to leave. */
    Duration patience() {
        return patience;
    }

    /** Nanoseconds since it joined the queue. */
    long waited() {
        return System.nanoTime() - since;
    }

    /** Whether it is on its way, so that its caller has to wait for the answer. Under the queue's lock. */
    boolean isSent() {
        return sent;
    }

    void setSent(boolean isSent) {
        sent = isSent;
    }

    /**
     * Whether its first request is sure to be refused, because of what an earlier group appended: then only the reason
     * is asked for.
     */
    boolean isDoomed() {
        return doomed;
    }

    void setDoomed(boolean isDoomed) {
        doomed = isDoomed;
    }

    /** Whether its caller is to take the next group to the database. */
    boolean leads() {
        return leads;
    }

    void lead() {
        leads = true;
        wake();
    }

    boolean isSettled() {
        return verdicts != null || failure != null;
    }

    /** Whether it failed for another reason than what it asked for. */
    boolean isLost() {
        return failure != null && !(failure instanceof RefusedInputException);
    }

    void settle(List<AppendVerdict> answers) {
        verdicts = answers;
        wake();
    }

    void fail(RuntimeException reason) {
        failure = reason;
        wake();
    }

    /** The answers, as far as the chain was judged. */
    List<AppendVerdict> verdicts() {
        if (failure != null) {
            throw failure;
        }
        if (verdicts == null) {
            throw new IllegalStateException("The append has not been answered yet");
        }
        return verdicts;
    }

    /* Not its own thread: that would only cut its next pause short. */
    private void wake() {
        if (!caller.equals(Thread.currentThread())) {
            LockSupport.unpark(caller);
        }
    }
}
