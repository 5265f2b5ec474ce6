package dev.registrar.decision;

import java.util.List;

/** What a decision decides. */
public sealed interface Verdict<E, R> {

    /**
     * Yes.
     *
     * @param events what happens; none if nothing need happen
     */
    record Accept<E, R>(List<E> events) implements Verdict<E, R> {
        public Accept {
            events = List.copyOf(events);
        }
    }

    /** No. */
    record Refuse<E, R>(R reason) implements Verdict<E, R> {}

    static <E, R> Verdict<E, R> accept(E event) {
        return new Accept<>(List.of(event));
    }

    static <E, R> Verdict<E, R> refuse(R reason) {
        return new Refuse<>(reason);
    }
}
