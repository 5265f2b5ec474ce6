package dev.registrar.eventstore.postgres;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads small pages, those of many callers in one round trip. */
final class ReadGroups {
    /*
     * Who comes while few enough are on their way goes at once, alone. Who comes later waits in the queue; whoever comes
     * back makes the first of them the next leader, who takes along what has gathered by then. Nobody waits for more to
     * come. A group is one statement, and so one snapshot: taken after each of its reads was asked for, which is all that
     * a read alone could promise. A read changes nothing, so where a group fails each of its callers asks by itself, and
     * what was one's fault is that one's failure.
     */
    private static final Logger LOG = LoggerFactory.getLogger(ReadGroups.class);

    private final Function<ChunkRequest, Chunk> alone;
    private final Function<List<ChunkRequest>, List<Chunk>> together;
    private final ReadGroupOptions bounds;
    private final int mostWaiting;
    private final Duration longestWait;
    private final Duration longestCall;
    private final StoreMeters meters;

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<WaitingRead> queue = new ArrayDeque<>();
    private int onTheirWay;

    /**
     * Groups of reads from a database.
     *
     * @param alone reads one page
     * @param together reads a page for each request, in their order, all of one snapshot
     */
    ReadGroups(
            Function<ChunkRequest, Chunk> alone,
            Function<List<ChunkRequest>, List<Chunk>> together,
            StoreOptions settings,
            StoreMeters meters) {
        this.alone = alone;
        this.together = together;
        this.bounds = settings.readGroup();
        this.mostWaiting = settings.maxWaitingReads();
        this.longestWait = settings.connectionTimeout();
        this.longestCall = settings.statementTimeout();
        this.meters = meters;
        meters.waitingReads(this::waiting);
    }

    /**
     * Reads a page, perhaps together with others.
     *
     * @throws OverloadedException if too many wait already
     * @throws StoreTimeoutException if its group did not leave in time, or the caller's deadline has passed
     * @throws StoreUnavailableException if the database failed, or the caller was interrupted
     */
    Chunk page(ChunkRequest request) {
        WaitingRead mine = new WaitingRead(request);
        join(mine);
        await(mine);
        if (mine.leads()) {
            lead(mine);
        }
        Chunk page = mine.page();
        return page == null ? alone.apply(request) : page;
    }

    private void join(WaitingRead mine) {
        lock.lock();
        try {
            if (onTheirWay < bounds.inFlight()) {
                onTheirWay++;
                mine.lead();
            } else if (queue.size() < mostWaiting) {
                queue.addLast(mine);
            } else {
                meters.readRefused();
                throw new OverloadedException("Too many reads wait (limit %d)".formatted(mostWaiting));
            }
        } finally {
            lock.unlock();
        }
    }

    /* Until it leads, or whoever took it along is back. */
    private void await(WaitingRead mine) {
        long left = Deadline.left(longestWait).toNanos();
        long end = System.nanoTime() + left;
        while (!mine.leads() && !mine.isDone()) {
            if (left <= 0 || Thread.currentThread().isInterrupted()) {
                giveUp(mine);
                return;
            }
            LockSupport.parkNanos(this, left);
            left = mine.isQueued()
                    ? end - System.nanoTime()
                    : Deadline.left(longestCall).toNanos();
        }
    }

    private void giveUp(WaitingRead mine) {
        lock.lock();
        try {
            if (mine.isDone()) {
                return;
            }
            if (mine.leads()) {
                passOn();
            } else {
                queue.remove(mine);
            }
        } finally {
            lock.unlock();
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new StoreUnavailableException("Interrupted while a read waited for its group");
        }
        meters.readRefused();
        throw new StoreTimeoutException("A read had to wait for its group for too long");
    }

    private void lead(WaitingRead mine) {
        List<WaitingRead> group = takeAlong(mine);
        try {
            meters.sentReads(group.size());
            if (group.size() == 1) {
                mine.answer(alone.apply(mine.request()));
            } else {
                answer(group);
            }
        } finally {
            group.forEach(WaitingRead::leave);
            passOn();
        }
    }

    private List<WaitingRead> takeAlong(WaitingRead mine) {
        List<WaitingRead> group = new ArrayList<>();
        group.add(mine);
        lock.lock();
        try {
            while (group.size() < bounds.maxReads() && !queue.isEmpty()) {
                WaitingRead other = queue.remove();
                other.send();
                group.add(other);
            }
        } finally {
            lock.unlock();
        }
        return group;
    }

    private void answer(List<WaitingRead> group) {
        try {
            List<ChunkRequest> requests =
                    group.stream().map(WaitingRead::request).toList();
            // The others' deadlines are not the leader's.
            List<Chunk> answers = Deadline.disregarded(() -> together.apply(requests));
            for (int i = 0; i < group.size(); i++) {
                group.get(i).answer(answers.get(i));
            }
        } catch (EventStoreException failure) {
            LOG.debug("{} reads failed together, and are sent each by itself", group.size(), failure);
        }
    }

    private void passOn() {
        lock.lock();
        try {
            WaitingRead next = queue.poll();
            if (next == null) {
                onTheirWay--;
            } else {
                next.lead();
            }
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
}
