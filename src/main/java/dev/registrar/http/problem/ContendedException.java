package dev.registrar.http.problem;

/** Each attempt at a decision, up to their maximum number, conflicted with another request; nothing was changed. */
public final class ContendedException extends RuntimeException {

    public ContendedException(int attempts) {
        super("Each attempt conflicted with other requests (attempts: %s)".formatted(attempts));
    }
}
