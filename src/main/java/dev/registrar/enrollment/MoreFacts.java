package dev.registrar.enrollment;

import dev.registrar.decision.Decision;

/**
 * The reason of a refusal that is no answer yet: the decision needs facts that its first facts led to.
 *
 * @param decision the same command with these facts
 */
public record MoreFacts(Decision<EnrollmentEvent, ? extends Refusal> decision) implements Refusal {

    @Override
    public String name() {
        return "MORE_FACTS";
    }

    @Override
    public boolean isOutdated() {
        return true;
    }
}
