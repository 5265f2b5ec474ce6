package dev.registrar.decision;

import dev.registrar.eventstore.Tag;
import java.util.Set;

/** How a domain's events are written down in the store, and read back. */
public interface EventCodec<E> {

    Encoded encode(E event);

    /**
     * Reads an event back.
     *
     * @throws IllegalArgumentException if the type is unknown or the payload does not fit it
     */
    E decode(String type, String payload);

    /**
     * An event as it is written down.
     *
     * @param payload JSON text
     */
    record Encoded(String type, Set<Tag> tags, String payload) {}
}
