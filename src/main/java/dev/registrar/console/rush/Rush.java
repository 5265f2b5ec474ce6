package dev.registrar.console.rush;

import dev.registrar.console.live.LatestEvents;
import dev.registrar.console.live.PageEvent;
import dev.registrar.console.live.PageSignal;
import dev.registrar.console.live.PageSource;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** A rush and the open pages that watch it. */
final class Rush {
    private static final int MOST_WAITING = 10;

    private final String id;
    private final Function<ShownRush, Map<String, PageEvent>> events;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<LatestEvents> watching = new HashSet<>();
    private ShownRush shown = ShownRush.preparing();

    /**
     * Creates a rush that is being prepared.
     *
     * @param events the events that show its state to a page, by name
     */
    Rush(String id, Function<ShownRush, Map<String, PageEvent>> events) {
        this.id = id;
        this.events = events;
    }

    String id() {
        return id;
    }

    ShownRush shown() {
        lock.lock();
        try {
            return shown;
        } finally {
            lock.unlock();
        }
    }

    /** Changes what the pages show. */
    void show(ShownRush next) {
        Map<String, PageEvent> changed = events.apply(next);
        lock.lock();
        try {
            shown = next;
            for (LatestEvents page : watching) {
                changed.forEach(page::offer);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the rush with a sentence, unless it is over. Needs no template, so that it cannot fail. */
    void end(String reason) {
        lock.lock();
        try {
            if (!shown.isOver()) {
                shown = ShownRush.failed(reason);
                for (LatestEvents page : watching) {
                    page.offer("progress", PageEvent.of("progress", reason));
                    page.offer("over", PageEvent.of("over", ""));
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** The events of a page: first the state at this time, then its changes. */
    PageSource watch() {
        LatestEvents page = new LatestEvents(MOST_WAITING, PageEvent.of("missed", ""));
        lock.lock();
        try {
            events.apply(shown).forEach(page::offer);
            watching.add(page);
        } finally {
            lock.unlock();
        }
        return new Watch(page);
    }

    private final class Watch implements PageSource {
        private final LatestEvents page;

        Watch(LatestEvents page) {
            this.page = page;
        }

        @Override
        public PageSignal next(Duration atMost) throws InterruptedException {
            return page.next(atMost);
        }

        @Override
        public void close() {
            page.close();
            lock.lock();
            try {
                watching.remove(page);
            } finally {
                lock.unlock();
            }
        }
    }
}
