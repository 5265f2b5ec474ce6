package dev.registrar.eventstore.postgres;

import dev.registrar.concurrent.CombiningQueue;
import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.append.AppendAnswer;
import dev.registrar.eventstore.postgres.append.AppendFunction;
import dev.registrar.eventstore.postgres.append.CheckedConditions;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Failures;
import dev.registrar.eventstore.postgres.options.GroupOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Group commit: appends the requests of concurrent callers to PostgreSQL in one round trip and one transaction. */
final class GroupAppender implements AutoCloseable {
    /*
     * Why conditions are exact: the stored function takes the store's advisory lock before it draws positions, and
     * PostgreSQL releases the lock only when the transaction has committed. So positions become visible in the order in
     * which they were drawn. A reader that has seen a position has seen every lower one, and "nothing matches after p"
     * is exact.
     *
     * Why acknowledged means durable: a caller gets its answer only after the call with its request has returned. The
     * call is a transaction of its own, in auto-commit mode.
     *
     * Why a request is sent at once if no group is in flight: its caller sends it itself. Later requests wait in the
     * queue, and when the group returns, a thread of the queue sends all requests that have arrived by then. No group
     * waits for more requests. After a group of several requests the thread only yields once, so that the callers of
     * that group can submit their next requests.
     *
     * Why an interrupt of one caller fails no other: a caller sends its own request alone, and no caller knows the
     * thread that sends the requests of several.
     *
     * For the answers of a group's members after a failure, see AppendGroup.isSent() and WaitingAppend.answers(). The
     * queue ensures that each member is answered, put back or abandoned.
     */
    private final Database database;
    private final AppendFunction function;
    private final GroupOptions bounds;
    private final Duration longestCall;
    private final StoreMeters meters;
    private final CombiningQueue<WaitingAppend> queue;

    /** @param longestCall the statement time-out */
    GroupAppender(
            Database database, AppendFunction function, GroupOptions bounds, Duration longestCall, StoreMeters meters) {
        this.database = database;
        this.function = function;
        this.bounds = bounds;
        this.longestCall = longestCall;
        this.meters = meters;
        this.queue = new CombiningQueue<>("append-group", bounds.inFlight(), bounds.maxWaiting(), this::sendNext);
    }

    /** Requests that wait for their group. */
    int waiting() {
        return queue.waiting();
    }

    /**
     * Appends a chain of requests, each of which builds on the requests before it. Most chains have one request.
     *
     * @param checked the checked conditions of each request; empty if they were not checked
     * @param bytes the size of all payloads and metadata
     * @return an answer for each request, up to the first that was not appended; {@link AppendAnswer.Suspected} for
     *     each if their conditions must be checked first
     * @throws OverloadedException if the wait queue is full
     * @throws StoreTimeoutException if the chain timed out in the wait queue; it was not appended
     * @throws StoreUnavailableException if the store is closed or the caller was interrupted; the chain was not sent
     */
    List<AppendAnswer> append(List<Append> chain, List<CheckedConditions> checked, long bytes) {
        Duration maxWait = Deadline.left(bounds.maxWait());
        WaitingAppend mine = new WaitingAppend(chain, checked, bytes, maxWait);
        return switch (queue.submit(mine)) {
            case ANSWERED -> mine.answers();
            case FULL -> {
                meters.refused();
                throw new OverloadedException("Too many waiting appends (limit %s)".formatted(bounds.maxWaiting()));
            }
            case TIMED_OUT -> {
                meters.refused();
                throw new StoreTimeoutException(
                        "An append was not sent: it waited longer than %s for its group".formatted(maxWait));
            }
            case INTERRUPTED ->
                throw new StoreUnavailableException("An append was not sent: its caller was interrupted");
            case CLOSED -> throw new StoreUnavailableException("The event store is closed");
        };
    }

    @SuppressWarnings("ThreadPriorityCheck") // the yield affects speed only
    private void sendNext(CombiningQueue<WaitingAppend>.Batch batch) {
        if (batch.followsShared()) {
            Thread.yield();
        }
        AppendGroup group = new AppendGroup(bounds, batch.members());
        batch.take(group::choose);
        if (group.entries().isEmpty()) {
            return;
        }
        meters.sent(group);
        try {
            long started = System.nanoTime();
            List<AppendAnswer> answers = database.call(longestCall, false, connection -> {
                group.send();
                return function.append(connection, group.entries());
            });
            long nanoseconds = System.nanoTime() - started;
            try {
                meters.answered(nanoseconds, group.entries(), answers);
            } finally {
                answer(batch, group, answers);
            }
        } catch (SQLException failure) {
            failOrSendAlone(batch, failure);
        } catch (EventStoreException failure) {
            batch.members().forEach(member -> member.fail(failure));
        }
    }

    private void answer(CombiningQueue<WaitingAppend>.Batch batch, AppendGroup group, List<AppendAnswer> answers) {
        List<WaitingAppend> again = group.answer(answers);
        queue.forEachWaiting(group.deferred(), request -> group.markIfLost(request, answers));
        putBack(batch, again);
    }

    /*
     * After a refused value or a cancelled statement, the whole group is rolled back, and a single request may be the
     * cause.
     */
    private static void failOrSendAlone(CombiningQueue<WaitingAppend>.Batch batch, SQLException failure) {
        List<WaitingAppend> members = batch.members();
        if (members.size() > 1 && (Failures.isAboutData(failure) || Failures.isCancelled(failure))) {
            members.forEach(WaitingAppend::sendAlone);
            putBack(batch, members);
        } else {
            members.forEach(member -> member.fail(Failures.append(failure)));
        }
    }

    private static void putBack(CombiningQueue<WaitingAppend>.Batch batch, List<WaitingAppend> members) {
        members.forEach(WaitingAppend::leaveGroup);
        batch.putBack(members);
    }

    /** Accepts no more requests, and waits until the present ones are answered, at most for their wait and one call. */
    @Override
    public void close() {
        queue.close(bounds.maxWait().plus(longestCall));
    }

    /** A caller's request or chain of requests, until it is answered. A chain is sent in one group. */
    static final class WaitingAppend extends CombiningQueue.Request {
        /**
         * The functions that check conditions under the lock probe the types of an item with tags if they are not more.
         */
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
                sumOfLocks +=
                        request.locks() == null ? 0 : request.locks().names().size();
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
                            item.tags().isEmpty()
                                    ? types
                                    : item.tags().size() + (types <= MAX_PROBED_TYPES ? types : 0));
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
         * Removes the request from its group, before it is put back in the queue. It keeps the wait time that it had
         * left.
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
}
