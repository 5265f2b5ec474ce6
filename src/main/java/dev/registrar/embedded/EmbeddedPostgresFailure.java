package dev.registrar.embedded;

import org.jspecify.annotations.Nullable;

/** The embedded PostgreSQL cannot start: the reason in one sentence, and what the operator can do about it. */
final class EmbeddedPostgresFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String description;
    private final String action;

    EmbeddedPostgresFailure(String description, String action) {
        this(description, action, null);
    }

    EmbeddedPostgresFailure(String description, String action, @Nullable Throwable cause) {
        super(description + " " + action, cause);
        this.description = description;
        this.action = action;
    }

    String description() {
        return description;
    }

    String action() {
        return action;
    }
}
