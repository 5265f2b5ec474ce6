package dev.registrar.eventstore.postgres;

import dev.registrar.concurrent.CombiningQueue;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.postgres.append.AppendAnswer;
import dev.registrar.eventstore.postgres.append.CheckedConditions;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A caller's request, or chain of requests, until it is answered. All of it is sent in one group. */
final class WaitingAppend extends CombiningQueue.Request {
    private final List<Append> chain;
    private final List<CheckedConditions> checked;
    private final int events;
    private final int probes;
    private final long bytes;
    private final Duration maxWait;

    /* Its caller asks for it at any time. */
    private volatile long since = System.nanoTime();
    private long waitedUntilSent;
    private @Nullable AppendGroup group;
    private boolean alone;
    private boolean knownLoser;
    private @Nullable List<AppendAnswer> answers;
    private @Nullable RuntimeException failure;
    private boolean abandoned;
    private boolean perhapsStored;
    private @Nullable Throwable mistake;

    /**
     * A request or chain of requests that begins to wait now.
     *
     * @param checked how far the conditions of each were checked; empty if they were not
     * @param bytes of all payloads and metadata
     * @param maxWait how long it may wait in the queue; the time in a group does not count
     */
    WaitingAppend(List<Append> chain, List<CheckedConditions> checked, long bytes, Duration maxWait) {
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
        this.maxWait = maxWait;
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

    /** Nanoseconds that it has been in the queue; in a group, until now. */
    long waited() {
        return System.nanoTime() - since;
    }

    @Override
    protected long nanosLeft() {
        return maxWait.toNanos() - waited();
    }

    /* A chain stands for several callers' decisions, which the interrupt of one of them does not concern. */
    @Override
    protected boolean isInterruptible() {
        return chain.size() == 1;
    }

    /** It becomes a member of a group. Under the queue's lock. */
    void joinGroup(AppendGroup joined) {
        group = joined;
        waitedUntilSent = waited();
    }

    /** It is about to be put back in the queue, and has as much time left to wait as when it joined its group. */
    void leaveGroup() {
        group = null;
        since = System.nanoTime() - waitedUntilSent;
    }

    /** Whether no other request is sent with it, since it may have been the reason why a group failed. */
    boolean isSentAlone() {
        return alone;
    }

    void sendAlone() {
        alone = true;
    }

    /**
     * Whether its first request is sure to be refused, because of what an earlier group appended or a check found. Then
     * only the verdict is asked for, which names the reason.
     */
    boolean isKnownLoser() {
        return knownLoser;
    }

    void setKnownLoser(boolean isKnownLoser) {
        knownLoser = isKnownLoser;
    }

    void answer(List<AppendAnswer> each) {
        answers = each;
        done();
    }

    void fail(RuntimeException reason) {
        failure = reason;
        done();
    }

    /* A caller that fails itself while another caller leads its group cannot know whether the group is sent. */
    @Override
    protected void abandon(@Nullable Throwable cause) {
        perhapsStored = group != null && (group.isSent() || (isOfThisThread() && !leads()));
        mistake = cause;
        abandoned = true;
    }

    /**
     * An answer for each request, up to the first that was not appended. Only once it is done.
     *
     * @throws RuntimeException why there is no answer
     */
    List<AppendAnswer> answers() {
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
        if (answers == null) {
            throw new IllegalStateException("The append has not been answered yet");
        }
        return answers;
    }
}
