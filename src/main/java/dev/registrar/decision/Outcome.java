package dev.registrar.decision;

import dev.registrar.eventstore.Position;
import java.util.List;

/** The outcome of a command. */
public sealed interface Outcome<E, R> {

    /**
     * The command was accepted, and its events are durable.
     *
     * @param events the events that were appended; none if nothing had to happen
     * @param position of the last event; the head that the decision rests on if it appended none, and no command under
     *     its idempotency key did
     * @param repeated whether an earlier command appended the events, and this one nothing: a command under the same
     *     idempotency key, or one that the verdict repeats ({@link Verdict.Repeat})
     */
    record Accepted<E, R>(List<E> events, Position position, boolean repeated) implements Outcome<E, R> {
        public Accepted {
            events = List.copyOf(events);
        }
    }

    /**
     * The domain refused the command.
     *
     * @param explanation the reason in one sentence, with the ids and numbers that it rests on
     */
    record Rejected<E, R>(R reason, String explanation) implements Outcome<E, R> {
        public Rejected(R reason) {
            this(reason, String.valueOf(reason));
        }
    }

    /**
     * The command lost against concurrent appends until a bound was reached or the caller was interrupted. Nothing was
     * appended; it may be sent again later.
     *
     * @param attempts conflicts with other appends; 0 if it only waited behind other decisions
     */
    record Contended<E, R>(int attempts) implements Outcome<E, R> {}
}
