package dev.registrar.security;

/** The service does not start with these settings, because it could not tell who may call. */
final class RefusedStartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String action;

    /**
     * @param description what is wrong
     * @param action what to do
     */
    RefusedStartException(String description, String action) {
        super(description);
        this.action = action;
    }

    String action() {
        return action;
    }
}
