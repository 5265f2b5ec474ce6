package dev.registrar.decision;

/** The states of a decision's facts, all of one snapshot. */
public interface Facts<E> {

    /**
     * The state of a fact.
     *
     * @throws IllegalArgumentException if the decision did not name the fact
     */
    <S> S get(Fact<E, S> fact);
}
