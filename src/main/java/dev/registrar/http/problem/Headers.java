package dev.registrar.http.problem;

/** The names of the headers that are this API's own. */
public final class Headers {
    /** Of a look-up: the position that the views it is answered from must have reached. */
    public static final String AFTER = "Registrar-After";

    /** Of a read from the event store: the head that it saw, to be given back as {@code basis}. */
    public static final String BASIS = "Registrar-Basis";

    public static final String CORRELATION_ID = "X-Correlation-Id";
    public static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    /** Of a write: its last event's; of a look-up: the views that answer it have seen every event up to here. */
    public static final String POSITION = "Registrar-Position";

    private Headers() {}
}
