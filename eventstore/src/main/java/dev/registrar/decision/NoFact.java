package dev.registrar.decision;

/**
 * The element type of the facts of a {@link CommutativeDecision}. It has no instances, so the list is always empty, and
 * the compiler refuses a commutative decision that names a fact.
 *
 * @param <E> the domain's events
 */
public abstract class NoFact<E> implements Fact<E, Void> {
    private NoFact() {}
}
