package dev.registrar.decision;

import dev.registrar.eventstore.Position;
import java.util.List;

/** What became of a command. */
public sealed interface Outcome<E, R> {

    /**
     * It was accepted and its events are durable.
     *
     * @param events what happened; none if nothing had to
     * @param position of the last event; the head that the decision rests on if there was none
     * @param repeated whether an earlier command under the same idempotency key did it, and this one nothing
     */
    record Accepted<E, R>(List<E> events, Position position, boolean repeated) implements Outcome<E, R> {
        public Accepted {
            events = List.copyOf(events);
        }
    }

    /**
     * The domain says no.
     *
     * @param explanation the reason in one sentence, with the ids and numbers that it rests on
     */
    record Rejected<E, R>(R reason, String explanation) implements Outcome<E, R> {
        public Rejected(R reason) {
            this(reason, String.valueOf(reason));
        }
    }

    /**
     * Others were faster each time, until a bound was reached or the caller was interrupted. Nothing happened; it may
     * be tried again later.
     *
     * @param attempts how often others were faster; 0 if it only waited for those before it
     */
    record Contended<E, R>(int attempts) implements Outcome<E, R> {}
}
