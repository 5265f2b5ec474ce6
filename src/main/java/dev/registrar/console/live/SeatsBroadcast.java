package dev.registrar.console.live;

import dev.registrar.catalog.CoursesView;
import dev.registrar.console.live.RecentSeats.Sent;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.Position;
import dev.registrar.projection.ViewReader;
import dev.registrar.subscription.LiveFeed;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Sends changed seats to all open pages. One producer follows the log for all of them, while at least one page is open:
 * a change is read and rendered once, whatever the number of pages.
 */
@Component
final class SeatsBroadcast {
    private final LiveFeed feed;
    private final EventStore store;
    private final ViewReader views;
    private final CoursesView courses;
    private final SeatsFragment fragment;

    private final ReentrantLock lock = new ReentrantLock();
    private final Set<SeatsPage> pages = new HashSet<>();
    /** Those that have missed changes and have not yet been sent the event. */
    private final Set<SeatsPage> behind = new HashSet<>();

    private @Nullable SeatsProducer producer;
    /** What the current producer has sent; null until it follows the log. */
    private @Nullable RecentSeats recent;

    SeatsBroadcast(LiveFeed feed, EventStore store, ViewReader views, CoursesView courses, SeatsFragment fragment) {
        this.feed = feed;
        this.store = store;
        this.views = views;
        this.courses = courses;
        this.fragment = fragment;
    }

    /**
     * Opens a page. It receives the changes after a position, or the event {@value SeatsPage#MISSED} if they are
     * forgotten.
     *
     * @param shown the ids of the courses that the page shows; empty for all
     * @param after the position at which the page shows the seats; null for the changes from now on
     */
    PageSource open(Set<String> shown, @Nullable Position after) {
        SeatsPage page = new SeatsPage(this, shown, after);
        Position head = after == null && isFollowing() ? null : head();
        // A position beyond the head belongs to a history that was replaced.
        boolean replaced = after != null && head != null && after.isAfter(head);
        lock.lock();
        try {
            pages.add(page);
            if (producer == null) {
                Position begin = after == null ? head : after;
                producer = new SeatsProducer(this, feed, store, views, courses, fragment, begin);
                producer.start();
                if (begin == null) {
                    behind.add(page);
                }
            } else if (replaced) {
                behind.add(page);
            } else if (recent != null && after != null) {
                recent.after(after).ifPresentOrElse(page::send, () -> behind.add(page));
            }
            return page;
        } finally {
            lock.unlock();
        }
    }

    private boolean isFollowing() {
        lock.lock();
        try {
            return producer != null;
        } finally {
            lock.unlock();
        }
    }

    /* Null if the store fails. */
    private @Nullable Position head() {
        try {
            return store.head().position();
        } catch (EventStoreException failure) {
            return null;
        }
    }

    /** Removes a page. The producer stops after the last one. */
    void left(SeatsPage page) {
        lock.lock();
        try {
            behind.remove(page);
            if (pages.remove(page) && pages.isEmpty() && producer != null) {
                producer.stop();
                producer = null;
                recent = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Records that a producer follows the log.
     *
     * @param from the position after which it begins
     * @param head the last position at that time
     */
    void started(SeatsProducer by, Position from, Position head) {
        ifCurrent(by, () -> {
            if (recent == null) {
                for (SeatsPage page : pages) {
                    Position after = page.after();
                    if (after != null && (from.isAfter(after) || after.isAfter(head))) {
                        behind.add(page);
                    }
                }
            }
            recent = new RecentSeats(from);
        });
    }

    /** Sends seats to all pages. */
    void send(SeatsProducer by, Map<String, Sent> seats) {
        ifCurrent(by, () -> {
            if (recent != null) {
                seats.forEach(recent::add);
            }
            pages.forEach(page -> page.send(seats));
        });
    }

    /** Whether pages that have missed changes wait for the event that says so. */
    boolean hasPagesBehind() {
        lock.lock();
        try {
            return !behind.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends pages the event that they have missed changes.
     *
     * @param all whether all pages have; otherwise those that were behind when they connected
     * @param shown the position at which pages that are loaded now show the seats; no change follows that was not sent
     */
    void sendMissed(SeatsProducer by, boolean all, Position shown) {
        ifCurrent(by, () -> {
            if (all || recent == null) {
                recent = new RecentSeats(shown);
            } else {
                recent.completeFrom(shown);
            }
            (all ? pages : behind).forEach(SeatsPage::sendMissed);
            behind.clear();
        });
    }

    private void ifCurrent(SeatsProducer by, Runnable change) {
        lock.lock();
        try {
            if (producer == by) {
                change.run();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The number of open pages. */
    int pages() {
        lock.lock();
        try {
            return pages.size();
        } finally {
            lock.unlock();
        }
    }
}
