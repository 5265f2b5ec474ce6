package dev.registrar.subscription;

import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.StoreReplacedException;
import org.jspecify.annotations.Nullable;

/** The store no longer has the events up to the place from which a subscription reads on. */
public final class LostCursorException extends RuntimeException {

    LostCursorException(Position last, @Nullable StoreReplacedException replaced) {
        super(
                "The event store was cleared, or set back, and no longer has what was read up to position %s"
                        .formatted(last),
                replaced);
    }
}
