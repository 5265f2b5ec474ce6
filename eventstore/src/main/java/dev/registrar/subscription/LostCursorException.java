package dev.registrar.subscription;

import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.StoreReplacedException;
import org.jspecify.annotations.Nullable;

/**
 * The store has lost the events up to a subscription's cursor, or a tag that its query names was added to some of them.
 */
public final class LostCursorException extends RuntimeException {

    LostCursorException(Position last, @Nullable StoreReplacedException replaced) {
        super(
                "The event store no longer has the events up to position %s as they were read: it was cleared or set back, or tags were added to events; begin again at the first event"
                        .formatted(last),
                replaced);
    }
}
