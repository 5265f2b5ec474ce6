package dev.registrar.projection;

import dev.registrar.eventstore.Position;
import java.time.Duration;

/** A dead letter cannot be retried now, or not at all. */
public final class NotRetryableException extends RuntimeException {
    private NotRetryableException(String message) {
        super(message);
    }

    static NotRetryableException ofView(String name) {
        return new NotRetryableException(
                "'%s' is a view, which applies events in their order only: rebuild it once its code can handle the event"
                        .formatted(name));
    }

    static NotRetryableException ofLaterEvent(Position position, Position first) {
        return new NotRetryableException(
                "The event at position %s waits for an earlier one of its key: retry or discard the event at position %s first"
                        .formatted(position, first));
    }

    static NotRetryableException ofUnreadable(Position position, String reason) {
        return new NotRetryableException("The event at position %s cannot be read: %s".formatted(position, reason));
    }

    static NotRetryableException ofBusy(String name, Duration waited) {
        return new NotRetryableException(
                "'%s' has handled other events for %s s: pause it, and try again".formatted(name, waited.toSeconds()));
    }
}
