package dev.registrar.projection;

import dev.registrar.eventstore.Position;

/** The store was cleared or set back, so that nothing can follow what was read of it. */
public final class LostPlaceException extends RuntimeException {

    LostPlaceException(Position last) {
        super("The event store was cleared or set back behind position %s, up to which it had been read"
                .formatted(last));
    }
}
