package dev.registrar.decision;

import java.util.List;

/** The verdict of a decision: events to append, a reason to refuse, or the events of an equal command before. */
public sealed interface Verdict<E, R> {

    /**
     * An acceptance.
     *
     * @param events the events to append; none if nothing has to happen
     */
    record Accept<E, R>(List<E> events) implements Verdict<E, R> {
        public Accept {
            events = List.copyOf(events);
        }
    }

    /**
     * A refusal.
     *
     * @param explanation the reason in one sentence, with the ids and numbers that it rests on
     */
    record Refuse<E, R>(R reason, String explanation) implements Verdict<E, R> {}

    /**
     * The command was carried out before. Nothing is appended; the outcome is an acceptance that is marked as repeated.
     *
     * @param events what the earlier command appended, 1 or more
     * @see OnDuplicate
     */
    record Repeat<E, R>(List<E> events) implements Verdict<E, R> {
        public Repeat {
            events = List.copyOf(events);
            if (events.isEmpty()) {
                throw new IllegalArgumentException("A repetition has 1 earlier event or more but has none");
            }
        }
    }

    /** An acceptance by which nothing has to happen. */
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

    /** A refusal that the name of its reason explains. */
    static <E, R> Verdict<E, R> refuse(R reason) {
        return new Refuse<>(reason, String.valueOf(reason));
    }

    /** A refusal with an explanation in one sentence. */
    static <E, R> Verdict<E, R> refuse(R reason, String explanation) {
        return new Refuse<>(reason, explanation);
    }
}
