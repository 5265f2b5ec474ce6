package dev.registrar.decision;

import dev.registrar.eventstore.Tag;
import java.util.Set;

/** How a domain's events are written down in the store, and read back. */
public interface EventCodec<E> {

    Encoded encode(E event);

    /** @throws IllegalArgumentException if the type is unknown or the payload does not fit it */
    E decode(String type, String payload);

    /** @param payload JSON text */
    record Encoded(String type, Set<Tag> tags, String payload) {}
}
