package dev.registrar.console.rush;

/** A race did not end in time, because the database or this process is too busy. */
final class SlowRaceException extends RuntimeException {
    SlowRaceException(String message) {
        super(message);
    }
}
