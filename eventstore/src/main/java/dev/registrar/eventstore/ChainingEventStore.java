package dev.registrar.eventstore;

import java.util.List;

/**
 * An event store that also appends several requests as a chain, in one round trip. A chain only saves time: on other
 * stores, callers such as the decision loop append one request at a time.
 */
public interface ChainingEventStore extends EventStore {

    /**
     * Appends requests, each of which builds on all requests before it. The events of those requests do not fail its
     * conditions, and it is evaluated only if this call has appended all of them. All events of the call become visible
     * together.
     *
     * @param requests one or more requests without resource locks, no two with the same idempotency key; each request,
     *     and all events together, must be within the {@link StoreLimits}
     * @return the results in the order of the requests, up to the first request that was not appended or was a
     *     repetition; none of the later requests was appended
     * @throws RefusedInputException if a request exceeds a limit or contains text that cannot be stored; nothing is
     *     appended
     * @throws IdempotencyKeyReusedException if the first request's key was used with another fingerprint
     * @throws OverloadedException if the wait queue is full; nothing is appended
     * @throws OutcomeUnknownException if the connection was lost after the chain was sent: the events may be stored
     * @throws IllegalStateException if the caller is in a transaction
     */
    List<AppendResult> appendChain(List<Append> requests);
}
