package dev.registrar.subscription;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.subscription.FeedSignal.Reason;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the log's end for as long as a listener is attached to the feed. If the store fails, it tries again, however
 * long that takes. If the store has lost what the reader or a listener has seen, or the reader itself fails, the
 * listeners are told that the feed has ended.
 */
final class LogTailer {
    private static final Logger LOG = LoggerFactory.getLogger(LogTailer.class);

    private static final int PAGE = 1_000;
    /** Between two reads, so that appends under load are read many at a time. */
    private static final Duration PAUSE = Duration.ofMillis(10);

    private static final Duration POLL = Duration.ofSeconds(1);

    private final LiveFeed feed;
    private final EventStore store;
    private final WakeUpSignal bell;
    private final CountDownLatch stopped = new CountDownLatch(1);
    /** Written under the feed's lock. */
    private volatile ReadCursor place;

    LogTailer(LiveFeed feed, ReadCursor place, EventStore store, WakeUpSignal bell) {
        this.feed = feed;
        this.place = place;
        this.store = store;
        this.bell = bell;
    }

    void start() {
        Thread.ofVirtual().name("live-feed").start(this::run);
    }

    /** Where it is. */
    ReadCursor place() {
        return place;
    }

    void advance(Position position) {
        place = place.at(position);
    }

    /** From now on every read makes sure that the store has these heads, until one has found them. */
    void rely(Set<Head> heads) {
        Set<Head> all = new HashSet<>(place.seen());
        all.addAll(heads);
        place = new ReadCursor(place.last(), Set.copyOf(all));
    }

    /** A read has found heads in the history that leads to another head, which stands for them. */
    void found(Set<Head> heads, Head head) {
        Set<Head> all = new HashSet<>(place.seen());
        all.removeAll(heads);
        all.add(head);
        place = new ReadCursor(place.last(), Set.copyOf(all));
    }

    /** It is not interrupted, since that would break the connection that it may be reading from. */
    void stop() {
        stopped.countDown();
        bell.ring();
    }

    private void run() {
        try (bell) {
            RetryPause pause = RetryPause.FIRST;
            while (!isStoppedWithin(Duration.ZERO)) {
                try {
                    boolean full = readPage();
                    pause = RetryPause.FIRST;
                    if (!isStoppedWithin(PAUSE) && !full) {
                        bell.await(POLL);
                    }
                } catch (StoreReplacedException replaced) {
                    LOG.warn("All listeners are ended: {}", replaced.getMessage());
                    feed.ended(this, Reason.STORE_REPLACED);
                } catch (EventStoreException failure) {
                    isStoppedWithin(pause.duration());
                    pause = pause.next();
                }
            }
        } catch (InterruptedException nobodyShould) {
            Thread.currentThread().interrupt();
        } finally {
            feed.ended(this, Reason.CLOSED);
        }
    }

    /* Whether there may be more. */
    private boolean readPage() {
        ReadCursor from = place;
        try (EventStream events = store.read(Query.all(), from.next().limit(PAGE))) {
            feed.found(this, from.seen(), events.head());
            int handed = 0;
            while (events.hasNext() && feed.hand(this, events.next())) {
                handed++;
            }
            return handed == PAGE;
        }
    }

    private boolean isStoppedWithin(Duration time) throws InterruptedException {
        return stopped.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }
}
