package dev.registrar.console.live;

import dev.registrar.catalog.CourseView;
import dev.registrar.catalog.CoursesView;
import dev.registrar.catalog.Current;
import dev.registrar.console.live.RecentSeats.Sent;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import dev.registrar.projection.ViewAt;
import dev.registrar.projection.ViewBehindException;
import dev.registrar.projection.ViewReader;
import dev.registrar.subscription.FeedSignal;
import dev.registrar.subscription.Listener;
import dev.registrar.subscription.LiveFeed;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the events of courses, reads the seats of those that changed from the view, and passes them on. It collects
 * the changes of a short time, so that a rush on a course is a few events for each page.
 */
final class SeatsProducer {
    private static final Logger LOG = LoggerFactory.getLogger(SeatsProducer.class);

    /** How long changes are collected. */
    private static final Duration COLLECTED = Duration.ofMillis(300);
    /** Number of courses with changes at a time. With more, such as during an import, pages have missed changes. */
    private static final int MOST_COURSES = 500;
    /** Pages that have missed changes load themselves again, all at the same time: not more often than this. */
    private static final Duration BETWEEN_MISSED = Duration.ofSeconds(10);
    /** How often it checks whether the view has what pages have missed: before that they would load the same again. */
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
    /** How far the first page may be behind the head. Further changes count as missed. */
    private static final long MOST_EVENTS_BEHIND = 1_000;

    /** How long it waits for a change before it looks for pages that have missed some. */
    private static final Duration SILENCE = Duration.ofSeconds(1);

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
    private static final String COURSE = "course:";

    private final SeatsBroadcast broadcast;
    private final LiveFeed feed;
    private final EventStore store;
    private final ViewReader views;
    private final CoursesView courses;
    private final SeatsFragment fragment;

    private final Set<String> changed = new LinkedHashSet<>();
    private @Nullable Position after;
    private Position last = Position.START;
    private boolean missed;
    private long noMissedBefore = System.nanoTime();

    private volatile @Nullable Listener listener;
    private volatile boolean stopped;

    /**
     * Creates a producer.
     *
     * @param after the position at which the first page shows the seats; null for the changes from its start on
     */
    SeatsProducer(
            SeatsBroadcast broadcast,
            LiveFeed feed,
            EventStore store,
            ViewReader views,
            CoursesView courses,
            SeatsFragment fragment,
            @Nullable Position after) {
        this.broadcast = broadcast;
        this.feed = feed;
        this.store = store;
        this.views = views;
        this.courses = courses;
        this.fragment = fragment;
        this.after = after;
    }

    void start() {
        Thread.ofVirtual().name("console-seats").start(this::run);
    }

    /** Makes the thread end soon. Any thread may call this method. */
    void stop() {
        stopped = true;
        Listener current = listener;
        if (current != null) {
            current.close();
        }
    }

    private void run() {
        try {
            while (!stopped) {
                try {
                    follow();
                } catch (EventStoreException | ViewBehindException failure) {
                    LOG.debug("The seats of open pages are not updated for the moment", failure);
                } catch (RuntimeException failure) {
                    LOG.error("Unexpected error while updating the seats of open pages", failure);
                }
                TimeUnit.NANOSECONDS.sleep(PAUSE_AFTER_FAILURE.toNanos());
            }
        } catch (InterruptedException unexpected) {
            Thread.currentThread().interrupt();
        }
    }

    /* Ends when the feed ends the listener, or with a failure. Then pages have missed changes. */
    private void follow() throws InterruptedException {
        Position head = store.head().position();
        Position from = begin(head);
        try (Listener opened = feed.listen(courses.query(), from)) {
            listener = opened;
            broadcast.started(this, from, head);
            last = from;
            while (!stopped && receive(opened)) {
                publish();
            }
        } finally {
            listener = null;
            after = null;
            changed.clear();
            missed = true;
        }
    }

    private Position begin(Position head) {
        Position wanted = after;
        return wanted == null || wanted.isAfter(head) || head.value() - wanted.value() > MOST_EVENTS_BEHIND
                ? head
                : wanted;
    }

    /* Waits for a change, and collects those of a short time; false at the end. */
    private boolean receive(Listener from) throws InterruptedException {
        FeedSignal signal = from.next(missed ? untilMissed() : SILENCE);
        long end = System.nanoTime() + COLLECTED.toNanos();
        while (signal instanceof FeedSignal.Delivery(SequencedEvent event)) {
            add(event);
            long left = end - System.nanoTime();
            if (left <= 0) {
                return true;
            }
            signal = from.next(Duration.ofNanos(left));
        }
        return !(signal instanceof FeedSignal.End);
    }

    private void add(SequencedEvent event) {
        last = event.position();
        for (Tag tag : event.event().tags()) {
            if (tag.value().startsWith(COURSE)) {
                changed.add(tag.value().substring(COURSE.length()));
            }
        }
        if (changed.size() > MOST_COURSES) {
            changed.clear();
            missed = true;
        }
    }

    private void publish() throws InterruptedException {
        if ((missed || broadcast.hasPagesBehind()) && untilMissed().isZero()) {
            publishMissed();
        }
        if (!changed.isEmpty()) {
            ViewAt<List<Current<CourseView>>> read =
                    views.read(courses, last, tables -> CoursesView.among(tables, changed));
            broadcast.send(this, rendered(read));
            changed.clear();
        }
    }

    /*
     * Only when the view has all that the pages have missed. Its position may be before the last change that the feed
     * has passed: then no event of courses is between them.
     */
    private void publishMissed() throws InterruptedException {
        if (!views.waitFor(courses.name(), last, Duration.ZERO)) {
            noMissedBefore = System.nanoTime() + BETWEEN_LOOKS.toNanos();
            return;
        }
        Position shown = views.read(courses, Position.START, tables -> true).position();
        broadcast.sendMissed(this, missed, shown.isAfter(last) ? last : shown);
        missed = false;
        noMissedBefore = System.nanoTime() + BETWEEN_MISSED.toNanos();
    }

    private Map<String, Sent> rendered(ViewAt<List<Current<CourseView>>> read) {
        Map<String, Sent> seats = new LinkedHashMap<>();
        for (Current<CourseView> course : read.found()) {
            String id = course.view().id();
            PageEvent event = PageEvent.of("seats-" + id, fragment.of(course.view()));
            seats.put(
                    id,
                    new Sent(
                            read.position(), event, event.withId(read.position().toString())));
        }
        return seats;
    }

    private Duration untilMissed() {
        return Duration.ofNanos(Math.max(0, noMissedBefore - System.nanoTime()));
    }
}
