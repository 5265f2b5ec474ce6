package dev.registrar.http.problem;

/** The names of this API's own headers. */
public final class Headers {
    /** In a look-up: the position that its views must have reached. */
    public static final String AFTER = "Registrar-After";

    /** In a read from the event store: the head of the read, which the client sends back as {@code basis}. */
    public static final String BASIS = "Registrar-Basis";

    public static final String CORRELATION_ID = "X-Correlation-Id";
    public static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    /**
     * In the answer to a write: the position of its last event. In a look-up: its views contain every event up to it.
     */
    public static final String POSITION = "Registrar-Position";

    private Headers() {}
}
