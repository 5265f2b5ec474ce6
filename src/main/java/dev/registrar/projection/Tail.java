package dev.registrar.projection;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.projection.Heard.Reason;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Reads the log's end for as long as somebody is attached to the feed. Where the store fails, it tries again, however
 * long that takes; where it fails itself, those who are attached hear that it has ended.
 */
final class Tail {
    private static final int PAGE = 1_000;
    /** Between two reads, so that appends under load are read many at a time. */
    private static final Duration PAUSE = Duration.ofMillis(10);

    private static final Duration POLL = Duration.ofSeconds(1);

    private final LiveFeed feed;
    private final EventStore store;
    private final Bell bell;
    private final CountDownLatch stopped = new CountDownLatch(1);
    /** Written by its own thread, under the feed's lock. */
    private Place place;

    Tail(LiveFeed feed, Place place, EventStore store, Bell bell) {
        this.feed = feed;
        this.place = place;
        this.store = store;
        this.bell = bell;
    }

    void start() {
        Thread.ofVirtual().name("live-feed").start(this::run);
    }

    /** Where it is. */
    Place place() {
        return place;
    }

    void advance(Position position) {
        place = place.at(position);
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
        ReadOptions page = ReadOptions.forwards().after(place.last()).limit(PAGE);
        try (EventStream events = store.read(Query.all(), page)) {
            if (place.isLostBy(events.head())) {
                feed.ended(this, Reason.STORE_REPLACED);
                return false;
            }
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
