package dev.registrar.decision;

import java.time.Instant;
import java.util.List;

/**
 * A command whose verdict depends on no stored event, such as one that records a measurement. It commutes with every
 * other command: the loop reads nothing, appends its events without a condition, and never decides it again.
 *
 * <p>It has no facts, and the compiler refuses an implementation that names any. A rule that must know something, even
 * only that a thing exists, is a {@link Decision}. A decision conflicts only with events that its facts' queries match.
 * If its own events are not among them, two such decisions do not conflict with each other.
 *
 * @param <E> the domain's events
 * @param <R> the reasons for a refusal, such as an enum; {@link Void} if there is none
 */
public interface CommutativeDecision<E, R> extends Decision<E, R> {

    /**
     * The verdict. It must be pure.
     *
     * @param now the time of the loop's clock; a rule must not use another clock
     */
    Verdict<E, R> decide(Instant now);

    /** No facts: {@link NoFact} has no instances, so this list is always empty. */
    @Override
    default List<NoFact<E>> facts() {
        return List.of();
    }

    /** The verdict, without facts. */
    @Override
    default Verdict<E, R> decide(Facts<E> facts, Instant now) {
        return decide(now);
    }
}
