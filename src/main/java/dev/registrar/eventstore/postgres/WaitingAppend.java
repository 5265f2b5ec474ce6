package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.QueryItem;
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
    private final List<CheckedConditions> checked;
    private final Thread caller = Thread.currentThread();
    private volatile long since = System.nanoTime();
    private long waitedUntilSent;
    private final int events;
    private final int probes;
    private final long bytes;
    private final Duration patience;

    private boolean sent;
    private boolean alone;
    private boolean knownLoser;
    private volatile boolean leads;
    private volatile @Nullable List<AppendAnswer> verdicts;
    private volatile @Nullable RuntimeException failure;
    private volatile boolean abandoned;
    private boolean perhapsStored;
    private @Nullable Throwable mistake;

    /**
     * A caller's request or chain of requests.
     *
     * @param checked how far the conditions of each were checked; empty if they were not
     */
    WaitingAppend(List<Append> chain, List<CheckedConditions> checked, long bytes, Duration patience) {
        this.chain = chain;
        this.checked = checked;
        int sumOfEvents = 0;
        int sumOfProbes = 0;
        for (Append request : chain) {
            sumOfEvents += request.events().size();
            sumOfProbes += probes(request);
        }
        this.events = sumOfEvents;
        this.probes = sumOfProbes;
        this.knownLoser = !checked.isEmpty() && checked.getFirst().isMatched();
        this.bytes = bytes;
        this.patience = patience;
    }

    private static int probes(Append request) {
        int probes = 0;
        for (AppendCondition condition : request.conditions()) {
            for (QueryItem item : condition.failIfEventsMatch().items()) {
                probes += Math.max(
                        1,
                        item.tags().isEmpty()
                                ? item.types().size()
                                : item.tags().size());
            }
        }
        return probes;
    }

    List<Append> chain() {
        return chain;
    }

    /** How far the conditions of one request of the chain were checked; null if they were not. */
    @Nullable CheckedConditions checked(int request) {
        return checked.isEmpty() ? null : checked.get(request);
    }

    /** Probes of indexes that the conditions ask for. */
    int probes() {
        return probes;
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

    /** Nanoseconds that it has been in the queue; while it is on its way, until now. */
    long waited() {
        return System.nanoTime() - since;
    }

    /** Whether it is on its way, so that its caller has to wait for the answer. Under the queue's lock. */
    boolean isSent() {
        return sent;
    }

    void send() {
        sent = true;
        waitedUntilSent = waited();
    }

    /** It is in the queue again, and has as much patience left as when it was sent. */
    void putBack() {
        sent = false;
        since = System.nanoTime() - waitedUntilSent;
        wake();
    }

    /** Whether no other request leaves with it, since it may have been the reason why a group failed. */
    boolean leavesAlone() {
        return alone;
    }

    void leaveAlone() {
        alone = true;
    }

    /**
     * Whether its first request is sure to be refused, because of what an earlier group appended or a check found: then
     * only the reason is asked for.
     */
    boolean isKnownLoser() {
        return knownLoser;
    }

    void setKnownLoser(boolean isKnownLoser) {
        knownLoser = isKnownLoser;
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
        return verdicts != null || failure != null || abandoned;
    }

    void settle(List<AppendAnswer> answers) {
        verdicts = answers;
        wake();
    }

    void fail(RuntimeException reason) {
        failure = reason;
        wake();
    }

    /**
     * Answers it, unless it has been, after a failure that was not foreseen. This needs no memory.
     *
     * @return whether it had no answer yet
     */
    boolean abandon(boolean isPerhapsStored, @Nullable Throwable cause) {
        if (isSettled()) {
            return false;
        }
        perhapsStored = isPerhapsStored;
        mistake = cause;
        abandoned = true;
        wake();
        return true;
    }

    /** The answers, as far as the chain was judged. */
    List<AppendAnswer> verdicts() {
        if (abandoned) {
            throw perhapsStored
                    ? new OutcomeUnknownException(
                            "An append failed after it was sent: whether it was stored is unknown",
                            mistake,
                            FailureCategory.UNKNOWN)
                    : new IllegalStateException("An append failed before it was sent", mistake);
        }
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
