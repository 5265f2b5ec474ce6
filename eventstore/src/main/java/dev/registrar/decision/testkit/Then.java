package dev.registrar.decision.testkit;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Outcome;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Contended;
import dev.registrar.decision.Outcome.Rejected;
import java.util.List;

/**
 * The outcome of a decision in a scenario, with assertions about it.
 *
 * @param <E> the domain's events
 * @param <R> the reasons for a refusal
 */
public record Then<E, R>(Decision<E, R> decision, Outcome<E, R> outcome) {

    /**
     * Asserts that the decision was accepted with exactly these events, in this order.
     *
     * @throws AssertionError if the outcome is different
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only copied
    public final void thenAccepted(E... events) {
        require(isAccepted(false, List.of(events)), "to be accepted with " + List.of(events));
    }

    /**
     * Asserts that the decision was accepted as a repetition of an earlier one that appended exactly these events.
     *
     * @throws AssertionError if the outcome is different
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only copied
    public final void thenRepeated(E... events) {
        require(isAccepted(true, List.of(events)), "to repeat " + List.of(events));
    }

    /**
     * Asserts that the decision was refused for this reason.
     *
     * @throws AssertionError if the outcome is different
     */
    public void thenRefused(R reason) {
        require(
                outcome instanceof Rejected<E, R> rejected && rejected.reason().equals(reason),
                "to be refused with " + reason);
    }

    /**
     * Asserts that the decision was accepted without events.
     *
     * @throws AssertionError if the outcome is different
     */
    public void thenNothing() {
        require(
                outcome instanceof Accepted<E, R> accepted && accepted.events().isEmpty(),
                "to be accepted without events");
    }

    private boolean isAccepted(boolean repeated, List<E> events) {
        return outcome instanceof Accepted<E, R> accepted
                && accepted.repeated() == repeated
                && accepted.events().equals(events);
    }

    private void require(boolean claim, String expectation) {
        if (!claim) {
            throw new AssertionError("Expected %s%n  %s%nbut it %s".formatted(decision, expectation, happened()));
        }
    }

    private String happened() {
        return switch (outcome) {
            case Accepted<E, R> accepted when accepted.repeated() -> "repeated " + accepted.events();
            case Accepted<E, R> accepted -> "was accepted with " + accepted.events();
            case Rejected<E, R> rejected -> "was refused with " + rejected.reason();
            case Contended<E, R> contended -> "was contended after %s attempts".formatted(contended.attempts());
        };
    }
}
