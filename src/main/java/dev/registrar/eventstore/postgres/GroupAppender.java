package dev.registrar.eventstore.postgres;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Failures;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Appends to PostgreSQL, many callers' requests in one round trip and one commit. */
final class GroupAppender implements AutoCloseable {
    /*
     * Why no order of commits can mislead a condition: the stored function takes the store's one advisory lock before it
     * draws positions, and PostgreSQL releases it only when the transaction has committed. So positions become visible in
     * the order in which they were drawn; whoever has seen a position has seen every lower one; and "nothing matches after
     * p" is exact.
     *
     * Why acknowledged means durable: a caller is answered only when the call that carried its request has returned, and
     * the call is its own transaction, in auto-commit.
     *
     * Why there is no thread of its own: a caller that finds nobody on the way takes its own request to the database, with
     * nothing in between. Who comes meanwhile waits in the queue; when the leader is back it makes the first of them the
     * next leader, who takes along whatever has gathered by then. It never waits for more, but after a larger group it lets
     * the others run who were answered with it, for they are likely to come again. The price: a leader on a virtual thread
     * that is interrupted while it waits for the database loses its connection, and its group is told that the outcome is
     * unknown.
     *
     * Why nothing waits forever: a request is in the queue, or a member of one group on its way. Whatever fails, its
     * group's members are answered or back in the queue when its leader goes on, and the leader passes its place on. What
     * answers them then needs no memory: the callers themselves make the exceptions.
     */
    private static final Logger LOG = LoggerFactory.getLogger(GroupAppender.class);
    private static final int LOOKED_AT_PER_GROUP = 4;

    private final Database database;
    private final AppendTransaction transaction;
    private final GroupOptions bounds;
    private final Duration longestCall;
    private final StoreMeters meters;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private final Deque<WaitingAppend> queue = new ArrayDeque<>();
    private int leaders;
    private boolean closed;
    private volatile boolean crowded;

    GroupAppender(Database database, AppendTransaction transaction, StoreOptions settings, StoreMeters meters) {
        this.database = database;
        this.transaction = transaction;
        this.bounds = settings.group();
        this.longestCall = settings.statementTimeout();
        this.meters = meters;
        meters.queue(this::waiting);
    }

    /**
     * Appends a chain of requests, each of which builds on those before it; most are of one.
     *
     * @param checked how far the conditions of each were checked; empty if they were not
     * @param bytes of all payloads and metadata
     * @return a verdict for each, up to the first that was not appended; {@link AppendAnswer.Suspected} for each if
     *     conditions have to be checked first
     */
    List<AppendAnswer> append(List<Append> chain, List<CheckedConditions> checked, long bytes) {
        WaitingAppend mine = new WaitingAppend(chain, checked, bytes, Deadline.left(bounds.maxWait()));
        try {
            if (!join(mine)) {
                await(mine);
            }
            if (mine.leads()) {
                lead(mine);
            }
        } catch (EventStoreException notSent) {
            throw notSent;
        } catch (RuntimeException | Error mistake) {
            if (!leave(mine, mistake)) {
                throw mistake;
            }
        } finally {
            if (mine.leads()) {
                passOn();
            }
        }
        return mine.verdicts();
    }

    /*
     * Takes a request out of the queue. True if it has been sent, and may be stored: its group no longer puts it back,
     * for no caller would be there to lead with it.
     */
    private boolean leave(WaitingAppend mine, Throwable mistake) {
        lock.lock();
        try {
            queue.remove(mine);
            boolean isSent = mine.isSent();
            if (isSent) {
                mine.abandon(true, mistake);
            }
            return isSent;
        } finally {
            lock.unlock();
        }
    }

    /* True if the caller is to lead. */
    private boolean join(WaitingAppend mine) {
        lock.lock();
        try {
            if (closed) {
                throw new StoreUnavailableException("The event store is closed");
            }
            if (queue.size() >= bounds.maxWaiting()) {
                meters.refused();
                throw new OverloadedException("Too many appends wait (limit %d)".formatted(bounds.maxWaiting()));
            }
            queue.addLast(mine);
            if (leaders == bounds.inFlight()) {
                return false;
            }
            leaders++;
            mine.lead();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void await(WaitingAppend mine) {
        boolean interrupted = false;
        while (!mine.isSettled() && !mine.leads()) {
            long left = mine.patience().toNanos() - mine.waited();
            boolean isLate = left <= 0;
            // A chain holds others' requests, too: an interrupt of whoever brought it is not theirs.
            boolean givesUp = isLate || (interrupted && mine.chain().size() == 1);
            if (givesUp && withdraw(mine)) {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                if (isLate) {
                    meters.refused();
                }
                throw isLate
                        ? new StoreTimeoutException(
                                "An append was not sent: it had to wait longer than " + mine.patience())
                        : new StoreUnavailableException("Interrupted before an append was sent");
            }
            LockSupport.parkNanos(this, givesUp ? longestCall.toNanos() : left);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /* True if it had not left yet, and never will. */
    private boolean withdraw(WaitingAppend mine) {
        lock.lock();
        try {
            return !mine.isSent() && !mine.leads() && !mine.isSettled() && queue.remove(mine);
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // nothing but speed relies on the yield
    private void lead(WaitingAppend mine) {
        // An interrupt would close the connection under all of the group; it is the caller's to see afterwards.
        boolean interrupted = Thread.interrupted();
        try {
            if (crowded) {
                Thread.yield();
            }
            while (!mine.isSettled()) {
                sendNext(mine);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void sendNext(WaitingAppend mine) {
        AppendGroup group = new AppendGroup(bounds);
        try {
            if (fill(group, mine)) {
                crowded = group.entries().size() > 1;
                send(group);
            }
        } finally {
            // All members have been answered by now, unless the code that answers them has failed.
            group.abandon(null);
        }
    }

    /* False if that failed: then the request that was looked at is given up, too, since it may be the reason. */
    private boolean fill(AppendGroup group, WaitingAppend mine) {
        WaitingAppend candidate = mine;
        lock.lock();
        try {
            int looks = LOOKED_AT_PER_GROUP * bounds.maxRequests();
            Iterator<WaitingAppend> waiting = queue.iterator();
            while (waiting.hasNext() && looks > 0) {
                WaitingAppend next = waiting.next();
                if (next != mine && next.leads()) {
                    continue;
                }
                candidate = next;
                looks--;
                if (!group.hasRoomFor(candidate)) {
                    break;
                }
                if (group.admit(candidate)) {
                    candidate.send();
                    waiting.remove();
                }
            }
            return true;
        } catch (RuntimeException | Error mistake) {
            queue.remove(candidate);
            candidate.abandon(false, mistake);
            group.abandon(mistake);
            return false;
        } finally {
            lock.unlock();
        }
    }

    /* Answers every member or puts it back in the queue, whatever happens. */
    private void send(AppendGroup group) {
        try {
            meters.sent(group);
            long started = System.nanoTime();
            List<AppendAnswer> verdicts = database.call(longestCall, false, connection -> {
                group.send();
                return transaction.append(connection, group.entries());
            });
            long nanoseconds = System.nanoTime() - started;
            try {
                meters.answered(nanoseconds, group.entries(), verdicts);
            } finally {
                settle(group, verdicts);
            }
        } catch (SQLException failure) {
            failOrSendAlone(group, failure);
        } catch (EventStoreException failure) {
            group.members().forEach(member -> member.fail(failure));
        } catch (RuntimeException | Error mistake) {
            if (!group.abandon(mistake)) {
                LOG.error("Unexpected error after a group of appends was answered", mistake);
            }
        }
    }

    private void settle(AppendGroup group, List<AppendAnswer> verdicts) {
        List<WaitingAppend> again = group.settle(verdicts);
        lock.lock();
        try {
            group.markKnownLosers(verdicts);
            putBack(group, again);
        } finally {
            lock.unlock();
        }
    }

    /* Under the queue's lock. From then on they are no members any more, also if one of the next fails. */
    private void putBack(AppendGroup group, List<WaitingAppend> members) {
        for (int i = members.size() - 1; i >= 0; i--) {
            WaitingAppend member = members.get(i);
            if (!member.isSettled()) {
                queue.addFirst(member);
                member.putBack();
            }
            group.release(member);
        }
    }

    /*
     * What was refused for a value, or cancelled, has been rolled back, whole; and the cause may be one request's alone.
     */
    private void failOrSendAlone(AppendGroup group, SQLException failure) {
        if (group.members().size() > 1 && (Failures.isAboutData(failure) || Failures.isCancelled(failure))) {
            lock.lock();
            try {
                group.members().forEach(WaitingAppend::leaveAlone);
                putBack(group, group.members());
            } finally {
                lock.unlock();
            }
        } else {
            group.members().forEach(member -> member.fail(Failures.append(failure)));
        }
    }

    private void passOn() {
        lock.lock();
        try {
            // First, so that the next caller can lead even if this fails.
            leaders--;
            for (WaitingAppend waiting : queue) {
                if (!waiting.leads()) {
                    leaders++;
                    waiting.lead();
                    return;
                }
            }
            idle.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private int waiting() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /** Takes no more requests, and waits until those that are here have been answered, or the longest wait is over. */
    @Override
    public void close() {
        long left = bounds.maxWait().plus(longestCall).toNanos();
        lock.lock();
        try {
            closed = true;
            while (leaders > 0 && left > 0) {
                left = idle.awaitNanos(left);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
