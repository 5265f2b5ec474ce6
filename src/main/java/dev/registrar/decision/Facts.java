package dev.registrar.decision;

/**
 * The states of a decision's facts. An acceptance takes effect only if all states are true when its events are
 * appended; any other verdict takes effect only if all states are from one snapshot of the store. A verdict on cached
 * states of different moments may therefore be discarded.
 */
public interface Facts<E> {

    /**
     * The state of a fact.
     *
     * @throws IllegalArgumentException if the decision did not name the fact
     */
    <S> S get(Fact<E, S> fact);
}
