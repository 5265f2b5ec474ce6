package dev.registrar.decision;

/**
 * The states of a decision's facts. What a decision accepts is carried out only if all of them were true at that
 * moment, and any other verdict stands only if all are of one snapshot; on states that were remembered from different
 * moments a decision may be asked in vain.
 */
public interface Facts<E> {

    /**
     * The state of a fact.
     *
     * @throws IllegalArgumentException if the decision did not name the fact
     */
    <S> S get(Fact<E, S> fact);
}
