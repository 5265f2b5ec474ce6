package dev.registrar.subscription;

import dev.registrar.eventstore.AppendSource;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Query;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Wakes the threads that wait for events: at once after an append of this process, and after an append of another
 * instance when {@link Notifications} report it. Wake-ups may be lost or spurious, so each waiting thread also polls
 * the store from time to time.
 */
public final class AppendSignals implements AutoCloseable {
    private final Map<WakeUpSignal, Query> signals = new ConcurrentHashMap<>();
    private final Map<WakeUpSignal, Query> localSignals = new ConcurrentHashMap<>();
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
        return registered(signals, query);
    }

    /** A signal that only appends of this process raise. */
    WakeUpSignal registerLocal(Query query) {
        return registered(localSignals, query);
    }

    private static WakeUpSignal registered(Map<WakeUpSignal, Query> group, Query query) {
        WakeUpSignal signal = new WakeUpSignal(group::remove);
        group.put(signal, query);
        return signal;
    }

    private void appended(List<Event> events) {
        raise(signals, events);
        raise(localSignals, events);
    }

    /* On the path of every append: a signal that is already raised costs one volatile read. */
    private static void raise(Map<WakeUpSignal, Query> group, List<Event> events) {
        group.forEach((signal, query) -> {
            if (!signal.isRaised() && anyMatches(query, events)) {
                signal.raise();
            }
        });
    }

    private static boolean anyMatches(Query query, List<Event> events) {
        for (Event event : events) {
            if (query.matches(event)) {
                return true;
            }
        }
        return false;
    }

    /** Raises every registered signal: another instance has appended, or a waiting thread has to check its state. */
    public void raiseAll() {
        signals.keySet().forEach(WakeUpSignal::raise);
    }

    /** Stops following the store's appends. */
    @Override
    public void close() {
        stopListening.run();
    }
}
