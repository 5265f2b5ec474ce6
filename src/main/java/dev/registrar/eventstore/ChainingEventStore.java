package dev.registrar.eventstore;

import java.util.List;

/**
 * An event store that also appends several requests as a chain, in one round trip. A caller for whom a chain is only
 * faster, such as the decision loop, appends one request at a time where the store does not offer it.
 */
public interface ChainingEventStore extends EventStore {

    /**
     * Appends requests of which each builds on all before it: their events do not count against its conditions, and it
     * is judged only if they were appended in this very call. All of them become visible at once.
     *
     * @param requests one or more, without resource locks, no two under the same idempotency key; each within the
     *     {@link StoreLimits}, and so are all their events together
     * @return the results in the order of the requests, up to the first request that was not appended or was a
     *     repetition; no later request was appended
     * @throws RefusedInputException if a request exceeds a limit or holds text that cannot be stored; none is appended
     * @throws IdempotencyKeyReusedException if the first request's key was used for something else
     * @throws OverloadedException if too many requests are waiting already; none is appended
     * @throws OutcomeUnknownException if the connection was lost after the chain was sent: the events may be stored
     * @throws IllegalStateException if called inside a transaction
     */
    List<AppendResult> appendChain(List<Append> requests);
}
