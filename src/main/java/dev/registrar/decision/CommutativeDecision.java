package dev.registrar.decision;

import java.time.Instant;
import java.util.List;

/**
 * A command whose verdict rests on nothing that is stored, such as one that records a measurement. It commutes with
 * every other command: the loop reads nothing for it, appends its events without a condition, and never has to decide
 * it again.
 *
 * <p>It has no facts, and no class can give it any: a rule that must know something, if only that a thing exists, is a
 * {@link Decision}. Such a decision conflicts only with the events that its facts' queries match. If its own events are
 * not among them, two decisions of its kind do not conflict with each other either.
 *
 * @param <E> the domain's events
 * @param <R> the reasons for a refusal, such as an enum; {@link Void} if there is none
 */
public interface CommutativeDecision<E, R> extends Decision<E, R> {

    /**
     * The verdict. It must be pure.
     *
     * @param now the time of the loop's clock; a rule must not look at another
     */
    Verdict<E, R> decide(Instant now);

    /** None: nothing but an empty list has this type. */
    @Override
    default List<NoFact<E>> facts() {
        return List.of();
    }

    /** The verdict, which rests on no fact. */
    @Override
    default Verdict<E, R> decide(Facts<E> facts, Instant now) {
        return decide(now);
    }
}
