package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.AppendResult;

/** What the stored function says to one request of a group. */
sealed interface AppendVerdict {

    /** The request was judged on its merits. */
    record Judged(AppendResult result) implements AppendVerdict {}

    /** Its idempotency key was used before for something else. */
    record KeyReused() implements AppendVerdict {}

    /** The request that it builds on was not appended. */
    record Superseded() implements AppendVerdict {}

    /**
     * A quick look could not judge its conditions, or those of its chain: nothing was appended, and it has to be
     * checked.
     */
    record Suspected() implements AppendVerdict {}
}
