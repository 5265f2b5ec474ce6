package dev.registrar.projection;

import dev.registrar.eventstore.Position;

/** A view did not reach a position in time. */
public final class ViewBehindException extends RuntimeException {
    public ViewBehindException(String name, Position position) {
        super("The view '%s' has not reached position %s yet".formatted(name, position));
    }
}
