package dev.registrar.decision;

import java.time.Instant;
import java.util.List;

/**
 * A command with its rules: the facts that it must know, and a verdict that follows from them alone. A command that
 * must know none is a {@link CommutativeDecision}.
 *
 * @param <E> the domain's events
 * @param <R> the reasons for a refusal, such as an enum
 */
public interface Decision<E, R> {

    /**
     * The facts that the decision must know; one or more. Together their queries are its consistency boundary: its
     * events are appended on the condition that no event has been appended since that one of them matches.
     */
    List<? extends Fact<E, ?>> facts();

    /**
     * The verdict. It must be pure, since the loop may ask for it several times.
     *
     * @param now the time of the loop's clock; a rule must not look at another
     */
    Verdict<E, R> decide(Facts<E> facts, Instant now);

    /**
     * The name of the command's type, which its events carry as metadata beside a new id for each command that is
     * carried out. By default the simple name of the class; a class that is renamed may keep the former name here.
     */
    default String commandType() {
        return getClass().getSimpleName();
    }
}
