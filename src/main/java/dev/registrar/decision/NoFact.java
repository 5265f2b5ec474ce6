package dev.registrar.decision;

/**
 * A fact that does not exist: this class has no instances, so a list of them is empty. It is the type of the facts of a
 * {@link CommutativeDecision}, and thus the compiler refuses a commutative decision that names a fact.
 *
 * @param <E> the domain's events
 */
public abstract class NoFact<E> implements Fact<E, Void> {
    private NoFact() {}
}
