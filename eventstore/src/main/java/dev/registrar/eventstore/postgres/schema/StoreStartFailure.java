package dev.registrar.eventstore.postgres.schema;

import org.jspecify.annotations.Nullable;

/** The store cannot use this database until an administrator carries out the {@linkplain #action() action}. */
public final class StoreStartFailure extends RuntimeException {
    private final String action;

    public StoreStartFailure(String description, String action, @Nullable Throwable cause) {
        super(description, cause);
        this.action = action;
    }

    /** Before version 0.1.0, a database belongs to the development version that created it. */
    static StoreStartFailure otherVersion(String schema, @Nullable Throwable cause) {
        return new StoreStartFailure(
                ("The schema '%s' has the event store of another development version, and before version 0.1.0 there is no"
                                + " upgrade from one version to another.")
                        .formatted(schema),
                ("Use another database, or drop the schema and those of its views (%s_…), which deletes all events. To keep"
                                + " the events, read them with the version that stored them, and append them to the new store.")
                        .formatted(schema),
                cause);
    }

    public String description() {
        return String.valueOf(getMessage());
    }

    public String action() {
        return action;
    }
}
