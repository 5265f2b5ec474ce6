package dev.registrar.http;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** A body that was read by hand is not what is expected. */
final class UnreadableBodyException extends RuntimeException {
    private final transient byte[] body;

    UnreadableBodyException(@Nullable JacksonException cause, byte[] body) {
        super(cause);
        this.body = body;
    }

    byte[] body() {
        return body;
    }
}
