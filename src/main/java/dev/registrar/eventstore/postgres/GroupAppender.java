package dev.registrar.eventstore.postgres;

import dev.registrar.concurrent.CombiningQueue;
import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.append.AppendAnswer;
import dev.registrar.eventstore.postgres.append.AppendTransaction;
import dev.registrar.eventstore.postgres.append.CheckedConditions;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Failures;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Appends to PostgreSQL, many callers' requests in one round trip and one commit. */
final class GroupAppender implements AutoCloseable {
    /*
     * Why no order of commits can mislead a condition: the stored function takes the store's one advisory lock before it
     * draws positions, and PostgreSQL releases it only when the transaction has committed. So positions become visible in
     * the order in which they were drawn; a reader that has seen a position has seen every lower one; and "nothing matches
     * after p" is exact.
     *
     * Why acknowledged means durable: a caller is answered only when the call that carried its request has returned, and
     * the call is its own transaction, in auto-commit.
     *
     * Why there is no thread of its own: a caller that finds no group on the way takes its own request to the database at
     * once. Later requests wait in the queue; when the leader is back, the first of them leads the next group, with what
     * has gathered by then. A leader never waits for more requests, but after a larger group it yields once, so that the
     * callers that were answered with that group can send their next request. The price: a leader on a virtual thread that
     * is interrupted while it waits for the database loses its connection, and its group is told that the outcome is
     * unknown.
     *
     * What the group's members hear when something fails: see AppendGroup.isSent() and WaitingAppend.abandon(). That each
     * of them is answered or put back is the queue's business.
     */
    private final Database database;
    private final AppendTransaction transaction;
    private final GroupOptions bounds;
    private final Duration longestCall;
    private final StoreMeters meters;
    private final CombiningQueue<WaitingAppend> queue;
    private volatile boolean crowded;

    GroupAppender(Database database, AppendTransaction transaction, StoreOptions settings, StoreMeters meters) {
        this.database = database;
        this.transaction = transaction;
        this.bounds = settings.group();
        this.longestCall = settings.statementTimeout();
        this.meters = meters;
        this.queue = new CombiningQueue<>(bounds.inFlight(), bounds.maxWaiting());
        meters.queue(queue::waiting);
    }

    /**
     * Appends a chain of requests, each of which builds on those before it; most are of one.
     *
     * @param checked how far the conditions of each were checked; empty if they were not
     * @param bytes of all payloads and metadata
     * @return an answer for each, up to the first that was not appended; {@link AppendAnswer.Suspected} for each if
     *     conditions have to be checked first
     * @throws OverloadedException if too many requests wait already
     * @throws StoreTimeoutException if the chain waited longer than it may; it was not sent
     * @throws StoreUnavailableException if the store is closed or the caller was interrupted; the chain was not sent
     */
    List<AppendAnswer> append(List<Append> chain, List<CheckedConditions> checked, long bytes) {
        Duration maxWait = Deadline.left(bounds.maxWait());
        WaitingAppend mine = new WaitingAppend(chain, checked, bytes, maxWait);
        return switch (queue.submit(mine, this::sendNext)) {
            case ANSWERED -> mine.answers();
            case FULL -> {
                meters.refused();
                throw new OverloadedException("Too many appends wait (limit %d)".formatted(bounds.maxWaiting()));
            }
            case TIMED_OUT -> {
                meters.refused();
                throw new StoreTimeoutException("An append was not sent: it had to wait longer than " + maxWait);
            }
            case INTERRUPTED -> throw new StoreUnavailableException("Interrupted before an append was sent");
            case CLOSED -> throw new StoreUnavailableException("The event store is closed");
        };
    }

    @SuppressWarnings("ThreadPriorityCheck") // only speed relies on the yield
    private void sendNext(CombiningQueue<WaitingAppend>.Batch batch) {
        if (crowded) {
            Thread.yield();
        }
        AppendGroup group = new AppendGroup(bounds, batch.members());
        batch.take(group::choose);
        crowded = group.entries().size() > 1;
        meters.sent(group);
        try {
            long started = System.nanoTime();
            List<AppendAnswer> answers = database.call(longestCall, false, connection -> {
                group.send();
                return transaction.append(connection, group.entries());
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
     * What was refused for a value, or cancelled, has been rolled back, whole; and the cause may be one request alone.
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

    /** Takes no more requests, and waits until those that are here have been answered, or the longest wait is over. */
    @Override
    public void close() {
        queue.close(bounds.maxWait().plus(longestCall));
    }
}
