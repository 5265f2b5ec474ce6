package dev.registrar.console.live;

import dev.registrar.console.live.RecentSeats.Sent;
import dev.registrar.eventstore.Position;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An open page that shows seats. */
final class SeatsPage implements PageSource {
    /** After this event a page has to be loaded again: it has missed changes. */
    static final String MISSED = "missed";
    /** Number of courses whose seats may wait for a page. */
    static final int MOST_WAITING = 300;

    private static final PageEvent MISSED_EVENT = PageEvent.of(MISSED, "");

    private final SeatsBroadcast broadcast;
    private final Set<String> courses;
    private final @Nullable Position after;
    private final LatestEvents events = new LatestEvents(MOST_WAITING, MISSED_EVENT);

    /**
     * Creates a page.
     *
     * @param courses the ids of those that the page shows; empty for all
     * @param after the position at which the page shows the seats; null if changes before its connection do not matter
     */
    SeatsPage(SeatsBroadcast broadcast, Set<String> courses, @Nullable Position after) {
        this.broadcast = broadcast;
        this.courses = Set.copyOf(courses);
        this.after = after;
    }

    @Nullable Position after() {
        return after;
    }

    /**
     * Sends the seats of courses, if the page shows them. Only the last event has an id: a page that has received it
     * has received the others.
     *
     * @param seats in the order of their positions
     */
    void send(Map<String, Sent> seats) {
        Map<String, Sent> shown = new LinkedHashMap<>(seats);
        if (!courses.isEmpty()) {
            shown.keySet().retainAll(courses);
        }
        Iterator<Map.Entry<String, Sent>> each = shown.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<String, Sent> next = each.next();
            events.offer(
                    next.getKey(),
                    each.hasNext() ? next.getValue().event() : next.getValue().last());
        }
    }

    void sendMissed() {
        events.overflow();
    }

    void end(String reason) {
        events.end(reason);
    }

    @Override
    public PageSignal next(Duration atMost) throws InterruptedException {
        return events.next(atMost);
    }

    @Override
    public void close() {
        events.close();
        broadcast.left(this);
    }
}
