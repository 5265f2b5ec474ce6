package dev.registrar.decision;

import java.time.Instant;
import java.util.List;

/**
 * A command with its rules: the facts that it needs, and a verdict that depends only on them. A command that needs no
 * facts is a {@link CommutativeDecision}.
 *
 * @param <E> the domain's events
 * @param <R> the reasons for a refusal, such as an enum
 */
public interface Decision<E, R> {

    /**
     * The facts that the decision needs; one or more. Together, their queries are its consistency boundary. Its events
     * are appended only if no event that matches one of these queries was appended since the facts were read.
     */
    List<? extends Fact<E, ?>> facts();

    /**
     * The verdict. This method must be pure, because the loop may call it several times.
     *
     * @param now the time of the loop's clock; a rule must not use another clock
     */
    Verdict<E, R> decide(Facts<E> facts, Instant now);

    /**
     * The name of the command type. The events carry it as metadata, beside the command's id. By default it is the
     * simple name of the class; a renamed class can keep its former name by overriding this method.
     */
    default String commandType() {
        return getClass().getSimpleName();
    }
}
