package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.AppendResult;

/** The answer of the stored function to one request of a group. */
public sealed interface AppendAnswer {

    /** The request was evaluated: it was appended, repeats an earlier append, or was refused. */
    record Judged(AppendResult result) implements AppendAnswer {}

    /** The idempotency key was used with another fingerprint. */
    record KeyReused() implements AppendAnswer {}

    /** A request that this one builds on was not appended. */
    record Superseded() implements AppendAnswer {}

    /**
     * The bounded check under the store's lock could not evaluate the conditions of the request or of its chain.
     * Nothing was appended; the conditions must be checked outside the lock.
     */
    record Suspected() implements AppendAnswer {}

    /** Another session holds a resource of the request, which was not appended. */
    record ResourceHeld() implements AppendAnswer {}
}
