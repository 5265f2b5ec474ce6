package dev.registrar.decision;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * The policy for a command that was carried out before, as an earlier event shows. An idempotency key detects a
 * repeated request; this policy handles a new request with the same intent.
 *
 * <pre>{@code
 * return OnDuplicate.<Void>idempotent()
 *         .verdict(facts.get(added()), () -> Verdict.accept(new BookAdded(book, title)));
 * }</pre>
 *
 * @param <R> the reasons for a refusal
 */
public sealed interface OnDuplicate<R> {

    /** Accepts the duplicate without events. */
    record NoOp<R>() implements OnDuplicate<R> {}

    /** Refuses the duplicate. */
    record Conflict<R>(R reason, String explanation) implements OnDuplicate<R> {}

    /**
     * Answers the duplicate like the first command: the outcome contains the earlier event and is marked as repeated.
     * The earlier event may differ from the event that the duplicate would append.
     */
    record Idempotent<R>() implements OnDuplicate<R> {}

    /** Accepts duplicates without events. */
    static <R> OnDuplicate<R> noOp() {
        return new NoOp<>();
    }

    /** Refuses duplicates for a reason, whose name is the explanation. */
    static <R> OnDuplicate<R> conflict(R reason) {
        return new Conflict<>(reason, String.valueOf(reason));
    }

    /** Refuses duplicates for a reason, with an explanation in one sentence. */
    static <R> OnDuplicate<R> conflict(R reason, String explanation) {
        return new Conflict<>(reason, explanation);
    }

    /** Answers duplicates with the earlier event. */
    static <R> OnDuplicate<R> idempotent() {
        return new Idempotent<>();
    }

    /**
     * The verdict of a command that may be a duplicate.
     *
     * @param earlier the event that the first such command appended; empty if there was none
     * @param first the verdict if the command is not a duplicate
     */
    default <E> Verdict<E, R> verdict(Optional<? extends E> earlier, Supplier<Verdict<E, R>> first) {
        if (earlier.isEmpty()) {
            return first.get();
        }
        return switch (this) {
            case NoOp<R> noOp -> Verdict.nothing();
            case Conflict<R>(R reason, String explanation) -> Verdict.refuse(reason, explanation);
            case Idempotent<R> idempotent -> Verdict.repeat(earlier.get());
        };
    }
}
