package dev.registrar.relay;

import dev.registrar.eventstore.Position;
import java.util.List;
import java.util.Map;

/** Passes CloudEvents to another system. */
public interface Publisher extends AutoCloseable {
    /**
     * Publishes events, those of a key in their order, and waits until they are acknowledged. After a refused event it
     * publishes no later one of the same key.
     *
     * @return why events were refused, by their positions
     * @throws dev.registrar.projection.PublisherUnavailableException if the other system cannot be reached or is busy
     */
    Map<Position, String> publish(List<CloudEvent> events);

    @Override
    default void close() {}
}
