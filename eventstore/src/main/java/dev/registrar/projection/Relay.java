package dev.registrar.projection;

import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.SequencedEvent;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Publishes events to another system: at least once, from the first event on, and those of a key in the order of their
 * positions. An event that the other system refuses is parked, and so are the later events of its key, until an
 * operator retries or discards it ({@link ProjectionAdministration}). The events of other keys go on. If the store was
 * cleared or set back, the relay begins at the first event again.
 */
public non-sealed interface Relay extends Follower {

    @Override
    default int version() {
        return 1;
    }

    /** Maximum number of events that are published together, 1 or more. */
    int batch();

    /** Maximum number of parked events, 1 or more. When there are as many, the relay stops. */
    int maxParked();

    /** The key of an event; null if its order does not matter. It does not change for an event, and is always found. */
    @Nullable String key(SequencedEvent event);

    /**
     * Publishes events, and waits until the other system has acknowledged them. After a refused event it publishes no
     * later one of the same key. It is called outside of any transaction, in one instance at a time, and again for the
     * same events after it has thrown or its instance was lost, as {@link Automation#react} is.
     *
     * @param incarnation of the store that has the events
     * @param events in the order of their positions, 1 to {@link #batch()}
     * @return why events were refused, by their positions; the others, but for the later ones of their keys, were
     *     acknowledged
     * @throws PublisherUnavailableException if the other system cannot be reached or is busy; the events are published
     *     again after a growing pause
     */
    Map<Position, String> publish(UUID incarnation, List<SequencedEvent> events);
}
