package dev.registrar.decision;

import java.util.List;

/** The verdict of a decision: events to append, a reason to refuse, or the events of an earlier equal command. */
public sealed interface Verdict<E, R> {

    /**
     * An acceptance.
     *
     * @param events the events to append; empty if nothing has to change
     */
    record Accept<E, R>(List<E> events) implements Verdict<E, R> {
        public Accept {
            events = List.copyOf(events);
        }
    }

    /**
     * A refusal.
     *
     * @param explanation the reason in one sentence, with the relevant ids and numbers
     */
    record Refuse<E, R>(R reason, String explanation) implements Verdict<E, R> {}

    /**
     * A repetition: the command was carried out before. Nothing is appended, and the outcome is an acceptance marked as
     * repeated.
     *
     * @param events the events that the earlier command appended, 1 or more
     * @see OnDuplicate
     */
    record Repeat<E, R>(List<E> events) implements Verdict<E, R> {
        public Repeat {
            events = List.copyOf(events);
            if (events.isEmpty()) {
                throw new IllegalArgumentException("A repetition must have at least one earlier event but has none");
            }
        }
    }

    /** An acceptance without events. */
    static <E, R> Verdict<E, R> nothing() {
        return new Accept<>(List.of());
    }

    /** An acceptance with one event. */
    static <E, R> Verdict<E, R> accept(E event) {
        return new Accept<>(List.of(event));
    }

    /** The repetition of a command that appended one event. */
    static <E, R> Verdict<E, R> repeat(E earlier) {
        return new Repeat<>(List.of(earlier));
    }

    /** A refusal whose explanation is the name of its reason. */
    static <E, R> Verdict<E, R> refuse(R reason) {
        return new Refuse<>(reason, String.valueOf(reason));
    }

    /** A refusal with an explanation in one sentence. */
    static <E, R> Verdict<E, R> refuse(R reason, String explanation) {
        return new Refuse<>(reason, explanation);
    }
}
