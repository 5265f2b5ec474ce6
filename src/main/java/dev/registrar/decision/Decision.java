package dev.registrar.decision;

import java.time.Instant;
import java.util.List;

/**
 * A command and its rules: what it must know, and what it decides from that alone.
 *
 * @param <E> the domain's events
 * @param <R> the reasons for which it may be refused, as a closed set
 */
public interface Decision<E, R> {

    /** What the decision must know; one or more. Together their queries are its consistency boundary. */
    List<? extends Fact<E, ?>> facts();

    /** The verdict. It must be pure, since it may be asked for several times. */
    Verdict<E, R> decide(Facts<E> facts, Instant now);
}
