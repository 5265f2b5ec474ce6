package dev.registrar.decision;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * The answer to a command that was carried out before, as an earlier event shows. An idempotency key recognizes a
 * request that is sent again; this policy recognizes another request that asks for the same thing.
 *
 * <pre>{@code
 * return OnDuplicate.<Void>idempotent()
 *         .verdict(facts.get(added()), () -> Verdict.accept(new BookAdded(book, title)));
 * }</pre>
 *
 * @param <R> the reasons for a refusal
 */
public sealed interface OnDuplicate<R> {

    /** The duplicate is accepted and does nothing. Its outcome has no events. */
    record NoOp<R>() implements OnDuplicate<R> {}

    /** The duplicate is refused. */
    record Conflict<R>(R reason, String explanation) implements OnDuplicate<R> {}

    /**
     * The duplicate is answered as the first command was: its outcome has the earlier event and is marked as repeated.
     * The earlier event may differ from the one that the duplicate would append.
     */
    record Idempotent<R>() implements OnDuplicate<R> {}

    /** Accepts duplicates, which do nothing. */
    static <R> OnDuplicate<R> noOp() {
        return new NoOp<>();
    }

    /** Refuses duplicates for a reason whose name explains it. */
    static <R> OnDuplicate<R> conflict(R reason) {
        return new Conflict<>(reason, String.valueOf(reason));
    }

    /** Refuses duplicates with an explanation in one sentence. */
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
     * @param first the verdict if the command is no duplicate
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
