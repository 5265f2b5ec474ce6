package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Outcome;
import java.util.function.Supplier;

/**
 * The reason of a refusal that is no answer yet: the decision needs facts that its first facts led to.
 *
 * @param decision the same command with these facts
 */
public record MoreFacts(Decision<EnrollmentEvent, ? extends Refusal> decision) implements Refusal {

    /** The attempt that follows an outdated one: the same command with more facts, or a new look at the store. */
    public static Supplier<? extends Decision<EnrollmentEvent, ? extends Refusal>> after(
            Outcome<EnrollmentEvent, ? extends Refusal> outcome,
            Supplier<? extends Decision<EnrollmentEvent, ? extends Refusal>> look) {
        return outcome instanceof Outcome.Rejected<EnrollmentEvent, ? extends Refusal> rejected
                        && rejected.reason() instanceof MoreFacts more
                ? more::decision
                : look;
    }

    @Override
    public String name() {
        return "MORE_FACTS";
    }

    @Override
    public boolean isOutdated() {
        return true;
    }
}
