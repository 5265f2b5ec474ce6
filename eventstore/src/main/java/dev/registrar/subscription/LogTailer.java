package dev.registrar.subscription;

import dev.registrar.concurrent.BackOff;
import dev.registrar.concurrent.ServiceThread;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.subscription.AppendSignals.WakeUpSignal;
import dev.registrar.subscription.FeedSignal.Reason;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the end of the log for a live feed, as long as a listener is attached. If the store fails, the tailer retries
 * without a limit. All attached listeners end if the store has lost events that the tailer or a listener has read, or
 * if the tailer itself fails.
 */
final class LogTailer implements ServiceThread.Work {
    private static final Logger LOG = LoggerFactory.getLogger(LogTailer.class);

    /** Number of events in one read. */
    private static final int CHUNK = 1_000;
    /** The pause between two reads, so that under load one read covers many appends. */
    private static final Duration PAUSE = Duration.ofMillis(10);

    private static final BackOff BACK_OFF = BackOff.doubling(Duration.ofMillis(100), Duration.ofSeconds(5));
    /** Maximum time between two reads without a wake-up. */
    private static final Duration POLL = Duration.ofSeconds(1);

    private final LiveFeed feed;
    private final EventStore store;
    private final WakeUpSignal signal;
    private final ServiceThread thread = new ServiceThread("live-feed", Duration.ZERO, this);
    private int failures;
    /** Written under the feed's lock. */
    private volatile ReadCursor cursor;

    LogTailer(LiveFeed feed, ReadCursor begin, EventStore store, WakeUpSignal signal) {
        this.feed = feed;
        this.cursor = begin;
        this.store = store;
        this.signal = signal;
    }

    void start() {
        thread.start();
    }

    ReadCursor cursor() {
        return cursor;
    }

    void advance(Position position) {
        cursor = cursor.at(position);
    }

    /** Makes the next read verify that the store also has some further heads. */
    void verify(Set<Head> heads) {
        Set<Head> all = new HashSet<>(cursor.heads());
        all.addAll(heads);
        cursor = new ReadCursor(cursor.last(), Set.copyOf(all));
    }

    /** Replaces heads by a later head, after a read has found them in its history. */
    void verified(Set<Head> heads, Head by) {
        Set<Head> all = new HashSet<>(cursor.heads());
        all.removeAll(heads);
        all.add(by);
        cursor = new ReadCursor(cursor.last(), Set.copyOf(all));
    }

    /** Ends the tailer without an interrupt, which would break the connection of its current read. */
    void stop() {
        thread.end();
    }

    @Override
    public void wake() {
        signal.raise();
    }

    @Override
    public void step() throws InterruptedException {
        try {
            boolean full = readChunk();
            failures = 0;
            thread.pause(PAUSE);
            if (!full) {
                signal.await(POLL);
            }
        } catch (StoreReplacedException replaced) {
            LOG.warn("The store was replaced; all live listeners end: {}", replaced.getMessage());
            feed.ended(this, Reason.STORE_REPLACED);
        } catch (EventStoreException failure) {
            if (failures == 0) {
                LOG.warn("The live feed cannot read the store and tries again: {}", failure.toString());
            }
            thread.pause(BACK_OFF.after(++failures));
        } catch (RuntimeException | Error failure) {
            feed.ended(this, Reason.CLOSED);
            throw failure;
        }
    }

    @Override
    public void ended() {
        signal.close();
        feed.ended(this, Reason.CLOSED);
    }

    /* Returns whether there may be more events. */
    private boolean readChunk() {
        ReadCursor from = cursor;
        try (EventStream events = store.read(Query.all(), from.next().limit(CHUNK))) {
            feed.verified(this, from.heads(), events.head());
            int delivered = 0;
            while (events.hasNext() && feed.deliver(this, events.next())) {
                delivered++;
            }
            return delivered == CHUNK;
        }
    }
}
