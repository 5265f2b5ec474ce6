package dev.registrar.projection;

import dev.registrar.eventstore.Position;
import java.util.List;
import java.util.stream.Collectors;

/** An event cannot be skipped: the projection has not stopped, or it has stopped at another event. */
public final class NotSkippableException extends RuntimeException {
    private NotSkippableException(String message) {
        super(message);
    }

    static NotSkippableException ofState(String name, String state) {
        return new NotSkippableException(
                "'%s' is %s: only the event that a projection has stopped at can be skipped".formatted(name, state));
    }

    static NotSkippableException ofEvent(String name, Position position) {
        return new NotSkippableException(
                "The next event of '%s' is not at position %s: its code has changed since it stopped there"
                        .formatted(name, position));
    }

    static NotSkippableException ofPosition(String name, Position position, List<Position> stoppedAt) {
        return new NotSkippableException("'%s' has stopped at position %s, not at %s"
                .formatted(
                        name,
                        stoppedAt.stream().map(Position::toString).distinct().collect(Collectors.joining(" and ")),
                        position));
    }
}
