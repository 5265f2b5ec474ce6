package dev.registrar.http;

/** The names of the headers that are this API's own. */
final class Headers {
    static final String CORRELATION_ID = "X-Correlation-Id";
    static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    static final String POSITION = "Registrar-Position";

    private Headers() {}
}
