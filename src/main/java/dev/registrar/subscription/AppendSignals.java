package dev.registrar.subscription;

import dev.registrar.eventstore.AppendSource;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Query;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Rings where somebody waits for events: at once for appends of this process, and for those of others when told of
 * them. Who waits for events looks for them by itself now and then, too: a ring may be missing, and one may be for
 * nothing.
 */
public final class AppendSignals implements AutoCloseable {
    private final Map<WakeUpSignal, Query> bells = new ConcurrentHashMap<>();
    private final Map<WakeUpSignal, Query> localBells = new ConcurrentHashMap<>();
    private final Runnable stopListening;

    /** Signals of the appends that a source reports. */
    public AppendSignals(AppendSource source) {
        this.stopListening = source.listen(this::appended);
    }

    /**
     * Signals of a store's appends. A store that is no {@link AppendSource} gives none for the appends of this process,
     * so that those who wait only poll.
     */
    public static AppendSignals of(EventStore store) {
        return new AppendSignals(store instanceof AppendSource source ? source : listener -> () -> {});
    }

    /** A bell for events that match a query. */
    public WakeUpSignal bell(Query query) {
        return hung(bells, query);
    }

    /** A bell that only this process's own appends ring. */
    WakeUpSignal localBell(Query query) {
        return hung(localBells, query);
    }

    private static WakeUpSignal hung(Map<WakeUpSignal, Query> among, Query query) {
        WakeUpSignal bell = new WakeUpSignal(among::remove);
        among.put(bell, query);
        return bell;
    }

    private void appended(List<Event> events) {
        ring(bells, events);
        ring(localBells, events);
    }

    /* On the way of every append: whoever is awake already costs one look at a flag. */
    private static void ring(Map<WakeUpSignal, Query> some, List<Event> events) {
        some.forEach((bell, query) -> {
            if (!bell.isRung() && anyMatches(query, events)) {
                bell.ring();
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

    /** Others have appended something. */
    public void ringAll() {
        bells.keySet().forEach(WakeUpSignal::ring);
    }

    @Override
    public void close() {
        stopListening.run();
    }
}
