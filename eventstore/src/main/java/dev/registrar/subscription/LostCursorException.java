package dev.registrar.subscription;

import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.StoreReplacedException;
import org.jspecify.annotations.Nullable;

/** The store has lost the events up to a subscription's cursor. */
public final class LostCursorException extends RuntimeException {

    LostCursorException(Position last, @Nullable StoreReplacedException replaced) {
        super(
                "The event store was cleared or set back, and no longer has the events up to position %s that were read"
                        .formatted(last),
                replaced);
    }
}
