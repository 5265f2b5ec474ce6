package dev.registrar.subscription;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Two threads that append until they are stopped or have made 3,000 appends each: single events and batches, tagged
 * with their group.
 */
final class AppendsUnderWay {
    private static final int GROUPS = 4;
    private static final int MOST_APPENDS = 3_000;

    private final EventStore store;
    private final List<Thread> writers = new ArrayList<>();
    private volatile boolean stopped;

    AppendsUnderWay(EventStore store) {
        this.store = store;
        for (int i = 0; i < 2; i++) {
            writers.add(Thread.ofVirtual().start(this::write));
        }
    }

    private void write() {
        for (int i = 0; i < MOST_APPENDS && !stopped; i++) {
            int number = i;
            store.append(IntStream.rangeClosed(0, i % 3)
                    .mapToObj(part -> Event.of("Noted", "{}", "group:" + (number + part) % GROUPS))
                    .toList());
            pause();
        }
    }

    /* A pause lets readers catch up; without pauses they fall behind. */
    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(1);
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    /** The events of a group, or of all. */
    static Query query(int number) {
        int group = number % (GROUPS + 1);
        return group == GROUPS ? Query.all() : Query.of(QueryItem.tags("group:" + group));
    }

    /** The positions that a listener that starts after a position must receive. */
    static List<Long> expected(EventStore store, Query query, Position after) {
        try (EventStream events = store.read(query, ReadOptions.forwards().after(after))) {
            return positions(events.toList());
        }
    }

    static List<Long> positions(Collection<SequencedEvent> events) {
        return events.stream().map(event -> event.position().value()).toList();
    }

    /** Stops the threads and returns when the last append is stored. */
    void stop() throws InterruptedException {
        stopped = true;
        for (Thread writer : writers) {
            writer.join();
        }
    }
}
