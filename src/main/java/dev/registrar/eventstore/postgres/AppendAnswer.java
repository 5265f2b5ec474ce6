package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.AppendResult;

/** What the stored function says to one request of a group. */
sealed interface AppendAnswer {

    /** The request was judged on its merits. */
    record Judged(AppendResult result) implements AppendAnswer {}

    /** Its idempotency key was used before for something else. */
    record KeyReused() implements AppendAnswer {}

    /** The request that it builds on was not appended. */
    record Superseded() implements AppendAnswer {}

    /**
     * A quick look could not judge its conditions, or those of its chain: nothing was appended, and it has to be
     * checked.
     */
    record Suspected() implements AppendAnswer {}
}
