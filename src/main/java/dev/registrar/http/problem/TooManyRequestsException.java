package dev.registrar.http.problem;

/** A client exceeded its request rate, or its number of streams or long reads. */
public final class TooManyRequestsException extends RuntimeException {

    private TooManyRequestsException(String message) {
        super(message);
    }

    public static TooManyRequestsException fromAddress(int perSecond) {
        return new TooManyRequestsException(
                "Too many requests from this address (limit %s a second): send them more slowly".formatted(perSecond));
    }

    public static TooManyRequestsException fromClient(int perSecond) {
        return new TooManyRequestsException(
                "Too many requests from this client (limit %s a second): send them more slowly".formatted(perSecond));
    }

    public static TooManyRequestsException ofLongReads(int atATime) {
        return new TooManyRequestsException(
                "Too many long reads of this client (limit %s at a time): finish one first".formatted(atATime));
    }

    public static TooManyRequestsException ofStreams(int atATime) {
        return new TooManyRequestsException(
                "Too many live streams of this client (limit %s at a time): close one first".formatted(atATime));
    }
}
