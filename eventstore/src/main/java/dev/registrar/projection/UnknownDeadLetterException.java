package dev.registrar.projection;

import dev.registrar.eventstore.Position;

/** A follower has no dead letter at a position, or an operator has settled it. */
public final class UnknownDeadLetterException extends RuntimeException {
    UnknownDeadLetterException(String name, Position position) {
        super("'%s' has no dead letter at position %s".formatted(name, position));
    }
}
