package dev.registrar.decision;

import dev.registrar.eventstore.Position;
import java.util.List;

/** The outcome of a command. */
public sealed interface Outcome<E, R> {

    /**
     * The command was accepted, and its events are durable.
     *
     * @param events the events of the command; empty if nothing had to change
     * @param position the position of the last event; if neither this command nor an earlier one with its idempotency
     *     key appended events, the head at which the facts were read
     * @param repeated whether an earlier command appended the events and this command appended nothing: a command with
     *     the same idempotency key, or one that the verdict repeats ({@link Verdict.Repeat})
     */
    record Accepted<E, R>(List<E> events, Position position, boolean repeated) implements Outcome<E, R> {
        public Accepted {
            events = List.copyOf(events);
        }
    }

    /**
     * The domain refused the command.
     *
     * @param explanation the reason in one sentence, with the relevant ids and numbers
     */
    record Rejected<E, R>(R reason, String explanation) implements Outcome<E, R> {
        public Rejected(R reason) {
            this(reason, String.valueOf(reason));
        }
    }

    /**
     * The command lost races against concurrent appends until it reached a bound or its caller was interrupted. Nothing
     * was appended; send the command again later.
     *
     * @param attempts the number of conflicts with other appends; 0 if the command only waited behind other decisions
     */
    record Contended<E, R>(int attempts) implements Outcome<E, R> {}
}
