package dev.registrar.decision;

import java.util.List;

/** The verdict of a decision: events to append, or a reason to refuse. */
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

    /** An acceptance by which nothing has to happen. */
    static <E, R> Verdict<E, R> nothing() {
        return new Accept<>(List.of());
    }

    /** An acceptance with one event. */
    static <E, R> Verdict<E, R> accept(E event) {
        return new Accept<>(List.of(event));
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
