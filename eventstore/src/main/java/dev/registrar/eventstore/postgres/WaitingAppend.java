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

/** A caller's request or chain of requests, until it is answered. A chain is sent in one group. */
final class WaitingAppend extends CombiningQueue.Request {
    /** The functions that check conditions under the lock probe the types of an item with tags if they are not more. */
    private static final int MAX_PROBED_TYPES = 8;

    private final List<Append> chain;
    private final List<CheckedConditions> checked;
    private final int events;
    private final int tags;
    private final int probes;
    private final int locks;
    private final long bytes;
    private final Duration maxWait;

    /* Volatile, because the caller reads it at any time. */
    private volatile long since = System.nanoTime();
    private long waitedUntilSent;
    private @Nullable AppendGroup group;
    private boolean alone;
    private boolean knownLoser;
    private @Nullable List<AppendAnswer> answers;
    private @Nullable RuntimeException failure;

    /**
     * Creates a request or chain of requests, whose wait starts now.
     *
     * @param checked the checked conditions of each request; empty if they were not checked
     * @param bytes the size of all payloads and metadata
     * @param maxWait the longest wait in the queue; the time in a group does not count
     */
    WaitingAppend(List<Append> chain, List<CheckedConditions> checked, long bytes, Duration maxWait) {
        this.chain = chain;
        this.checked = checked;
        int sumOfEvents = 0;
        int sumOfTags = 0;
        int sumOfProbes = 0;
        int sumOfLocks = 0;
        for (Append request : chain) {
            sumOfEvents += request.events().size();
            sumOfTags += request.tags();
            sumOfProbes += probes(request);
            sumOfLocks += request.locks() == null ? 0 : request.locks().names().size();
        }
        this.events = sumOfEvents;
        this.tags = sumOfTags;
        this.probes = sumOfProbes;
        this.locks = sumOfLocks;
        this.knownLoser = !checked.isEmpty() && checked.getFirst().isMatched();
        this.bytes = bytes;
        this.maxWait = maxWait;
    }

    private static int probes(Append request) {
        int probes = 0;
        for (AppendCondition condition : request.conditions()) {
            for (QueryItem item : condition.failIfEventsMatch().items()) {
                int types = item.types().size();
                probes += Math.max(
                        1,
                        item.tags().isEmpty() ? types : item.tags().size() + (types <= MAX_PROBED_TYPES ? types : 0));
            }
        }
        return probes;
    }

    List<Append> chain() {
        return chain;
    }

    /** The checked conditions of one request of the chain; null if they were not checked. */
    @Nullable CheckedConditions checked(int request) {
        return checked.isEmpty() ? null : checked.get(request);
    }

    /** The number of index probes for the conditions. */
    int probes() {
        return probes;
    }

    /** The number of resource locks. */
    int locks() {
        return locks;
    }

    int events() {
        return events;
    }

    /** The number of tags of all events. */
    int tags() {
        return tags;
    }

    long bytes() {
        return bytes;
    }

    /** The nanoseconds since the request started to wait, without earlier times in a group. */
    long waited() {
        return System.nanoTime() - since;
    }

    @Override
    protected long nanosLeft() {
        return maxWait.toNanos() - waited();
    }

    /** Makes the request a member of a group. Called by the thread that takes it. */
    void joinGroup(AppendGroup joined) {
        group = joined;
        waitedUntilSent = waited();
    }

    /**
     * Removes the request from its group, before it is put back in the queue. It keeps the wait time that it had left.
     */
    void leaveGroup() {
        group = null;
        since = System.nanoTime() - waitedUntilSent;
    }

    /** Whether the request is sent in a group of its own, because it may have caused the failure of a group. */
    boolean isSentAlone() {
        return alone;
    }

    void sendAlone() {
        alone = true;
    }

    /**
     * Whether the first request is certain to be refused, because of events that an earlier group has appended or a
     * check has found. It is then sent for its verdict only, which names the reason.
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

    /**
     * The answers for the requests, up to the first that was not appended. Call this only when the request is done.
     *
     * @throws RuntimeException if the request failed
     */
    List<AppendAnswer> answers() {
        if (isAbandoned()) {
            throw group != null && group.isSent()
                    ? new OutcomeUnknownException(
                            "Unexpected error after an append was sent; whether it was stored is unknown",
                            abandonCause(),
                            FailureCategory.UNKNOWN)
                    : new IllegalStateException(
                            "Unexpected error before an append was sent; nothing was stored", abandonCause());
        }
        if (failure != null) {
            throw failure;
        }
        if (answers == null) {
            throw new IllegalStateException("The append has no answer yet");
        }
        return answers;
    }
}
