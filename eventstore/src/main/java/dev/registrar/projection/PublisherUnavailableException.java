package dev.registrar.projection;

import org.jspecify.annotations.Nullable;

/** The system that a relay publishes to cannot be reached or is busy. Some of the events may have arrived. */
public final class PublisherUnavailableException extends RuntimeException {
    public PublisherUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
