package dev.registrar.http;

/** The names of the headers that are this API's own. */
final class Headers {
    /** Of a look-up: the position that the views it is answered from must have reached. */
    static final String AFTER = "Registrar-After";

    /** Of a read from the event store: the head that it saw, to be given back as {@code basis}. */
    static final String BASIS = "Registrar-Basis";

    static final String CORRELATION_ID = "X-Correlation-Id";
    static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    /** Of a write: its last event's; of a look-up: the views that answer it have seen every event up to here. */
    static final String POSITION = "Registrar-Position";

    private Headers() {}
}
