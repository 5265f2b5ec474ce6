package dev.registrar.subscription;

import dev.registrar.eventstore.SequencedEvent;

/** The next thing that a listener receives. */
public sealed interface FeedSignal {

    /** The next event. */
    record Delivery(SequencedEvent event) implements FeedSignal {}

    /** No event arrived within the time-out. */
    record Idle() implements FeedSignal {}

    /** The listener has ended. To continue, listen again after the last delivered event. */
    record End(Reason reason) implements FeedSignal {}

    /** The reason why a listener has ended. */
    enum Reason {
        /** The events waiting for the listener exceeded a bound on their number or their characters. */
        TOO_SLOW,
        /**
         * The store was cleared, or set back to an older copy. Or a tag that the query names was added to stored
         * events: listen again from the first event.
         */
        STORE_REPLACED,
        /** The listener or its feed was closed. */
        CLOSED
    }
}
