package dev.registrar.eventstore.postgres;

import org.jspecify.annotations.Nullable;

/** The service cannot start on this database until somebody does something. */
final class StoreStartFailure extends RuntimeException {
    private final String action;

    StoreStartFailure(String description, String action, @Nullable Throwable cause) {
        super(description, cause);
        this.action = action;
    }

    String description() {
        return String.valueOf(getMessage());
    }

    String action() {
        return action;
    }
}
