package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Outcome;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The one place that repeats a command because it was refused as outdated: with the facts that its first ones led to
 * ({@link MoreFacts}), or after another look at the store. Each attempt reads all of its facts again, as any decision
 * does, so none rests on what an earlier one has read.
 */
public final class Attempts {
    /** Maximum number of decisions on one command. */
    static final int MOST = 10;

    private Attempts() {}

    /**
     * The last attempt at a command.
     *
     * @param outcome contended if each attempt was outdated
     */
    public record Last(
            Decision<EnrollmentEvent, ? extends Refusal> decision,
            Outcome<EnrollmentEvent, ? extends Refusal> outcome) {}

    /**
     * Carries out a command in up to {@value #MOST} attempts.
     *
     * @param look makes the decision; called again after a refusal as outdated that names no further facts
     * @param execute carries out one decision
     */
    public static Last carryOut(
            Supplier<? extends Decision<EnrollmentEvent, ? extends Refusal>> look,
            Function<Decision<EnrollmentEvent, ? extends Refusal>, Outcome<EnrollmentEvent, ? extends Refusal>>
                    execute) {
        Decision<EnrollmentEvent, ? extends Refusal> decision = look.get();
        for (int attempt = 1; ; attempt++) {
            Outcome<EnrollmentEvent, ? extends Refusal> outcome = execute.apply(decision);
            if (!(outcome instanceof Outcome.Rejected<EnrollmentEvent, ? extends Refusal> rejected
                    && rejected.reason().isOutdated())) {
                return new Last(decision, outcome);
            }
            if (attempt == MOST) {
                return new Last(decision, new Outcome.Contended<>(MOST));
            }
            decision = rejected.reason() instanceof MoreFacts more ? more.decision() : look.get();
        }
    }
}
