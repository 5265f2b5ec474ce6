package dev.registrar.subscription;

import dev.registrar.eventstore.AppendSource;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Query;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Wakes the threads that wait for events: at once after an append of this process, and after an append of another
 * instance when {@link Notifications} report it. Wake-ups may be lost or spurious, so each waiting thread also polls
 * the store from time to time.
 */
public final class AppendSignals implements AutoCloseable {
    private final Set<WakeUpSignal> signals = ConcurrentHashMap.newKeySet();
    private final Runnable stopListening;

    /** Signals the appends that a source reports. */
    public AppendSignals(AppendSource source) {
        this.stopListening = source.listen(this::appended);
    }

    /**
     * Signals a store's appends. If the store is not an {@link AppendSource}, appends of this process raise no signal,
     * and waiting threads only poll.
     */
    public static AppendSignals of(EventStore store) {
        return new AppendSignals(store instanceof AppendSource source ? source : listener -> () -> {});
    }

    /** A signal that is raised when events may have been appended that match a query. */
    public WakeUpSignal register(Query query) {
        return new WakeUpSignal(query, false);
    }

    /** A signal that only appends of this process raise. */
    WakeUpSignal registerLocal(Query query) {
        return new WakeUpSignal(query, true);
    }

    /* On the path of every append: a signal that is already raised costs one volatile read. */
    private void appended(List<Event> events) {
        for (WakeUpSignal signal : signals) {
            if (!signal.raised.get() && signal.matchesAny(events)) {
                signal.raise();
            }
        }
    }

    /** Raises every signal but local ones: another instance has appended, or a thread has to check its state. */
    public void raiseAll() {
        for (WakeUpSignal signal : signals) {
            if (!signal.isLocal) {
                signal.raise();
            }
        }
    }

    /** Stops following the store's appends. */
    @Override
    public void close() {
        stopListening.run();
    }

    /** Wakes one thread that waits for events. A raised signal stays raised until a thread has waited for it. */
    public final class WakeUpSignal implements AutoCloseable {
        private final Query query;
        private final boolean isLocal;
        private final AtomicBoolean raised = new AtomicBoolean();
        private volatile @Nullable Thread waiting;

        private WakeUpSignal(Query query, boolean isLocal) {
            this.query = query;
            this.isLocal = isLocal;
            signals.add(this);
        }

        private boolean matchesAny(List<Event> events) {
            for (Event event : events) {
                if (query.matches(event)) {
                    return true;
                }
            }
            return false;
        }

        /** Wakes the waiting thread, or the next one that waits. Several calls in between wake it once. */
        public void raise() {
            if (!raised.getAndSet(true)) {
                LockSupport.unpark(waiting);
            }
        }

        /**
         * Waits until the signal is raised, and lowers it. One thread at a time may wait.
         *
         * @return false if it was not raised in that time
         * @throws InterruptedException if interrupted; a raised signal then stays raised
         */
        public boolean await(Duration atMost) throws InterruptedException {
            waiting = Thread.currentThread();
            try {
                long end = System.nanoTime() + atMost.toNanos();
                while (!raised.getAndSet(false)) {
                    long left = end - System.nanoTime();
                    if (left <= 0) {
                        return false;
                    }
                    LockSupport.parkNanos(this, left);
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                }
                return true;
            } finally {
                waiting = null;
            }
        }

        /** Unregisters the signal: appends no longer raise it. */
        @Override
        public void close() {
            signals.remove(this);
        }
    }
}
