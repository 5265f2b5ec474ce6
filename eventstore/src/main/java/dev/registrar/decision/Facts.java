package dev.registrar.decision;

/**
 * The states of a decision's facts. An acceptance takes effect only if all states are current when its events are
 * appended. Any other verdict takes effect only if all states are from one snapshot of the store. The loop may
 * therefore discard a verdict on cached states that are at different heads.
 */
public interface Facts<E> {

    /**
     * The state of a fact.
     *
     * @throws IllegalArgumentException if {@link Decision#facts} does not contain the fact
     */
    <S> S get(Fact<E, S> fact);
}
