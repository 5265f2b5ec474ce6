package dev.registrar.decision;

import java.util.AbstractList;

/**
 * The facts of a {@link CommutativeDecision}: a list that is always empty. Its type says so, and thus the compiler
 * refuses a commutative decision that names a fact.
 *
 * @param <E> the domain's events
 */
public final class NoFacts<E> extends AbstractList<Fact<E, ?>> {
    private static final NoFacts<?> NONE = new NoFacts<>();

    private NoFacts() {}

    @SuppressWarnings("unchecked") // it holds no fact of any domain
    static <E> NoFacts<E> none() {
        return (NoFacts<E>) NONE;
    }

    @Override
    public Fact<E, ?> get(int index) {
        throw new IndexOutOfBoundsException("A commutative decision has no facts, but was asked for number " + index);
    }

    @Override
    public int size() {
        return 0;
    }
}
