package dev.registrar.eventstore.postgres.schema;

import org.jspecify.annotations.Nullable;

/** The store cannot use this database until an administrator carries out the {@linkplain #action() action}. */
public final class StoreStartFailure extends RuntimeException {
    private final String action;

    public StoreStartFailure(String description, String action, @Nullable Throwable cause) {
        super(description, cause);
        this.action = action;
    }

    public String description() {
        return String.valueOf(getMessage());
    }

    public String action() {
        return action;
    }
}
