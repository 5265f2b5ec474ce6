package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.AppendResult;

/** What the stored function answers to one request of a group. */
public sealed interface AppendAnswer {

    /** It was appended, repeats an earlier append, or was refused. */
    record Judged(AppendResult result) implements AppendAnswer {}

    /** Its idempotency key was used before for something else. */
    record KeyReused() implements AppendAnswer {}

    /** The request that it builds on was not appended. */
    record Superseded() implements AppendAnswer {}

    /**
     * A quick look could not judge its conditions, or those of its chain. Nothing was appended, and the conditions have
     * to be checked.
     */
    record Suspected() implements AppendAnswer {}
}
