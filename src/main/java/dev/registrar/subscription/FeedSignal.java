package dev.registrar.subscription;

import dev.registrar.eventstore.SequencedEvent;

/** What a listener receives next. */
public sealed interface FeedSignal {

    /** The next event. */
    record Delivery(SequencedEvent event) implements FeedSignal {}

    /** No event came in the time given. */
    record Idle() implements FeedSignal {}

    /** The listener has ended. To go on, listen anew after the last event that was delivered. */
    record End(Reason reason) implements FeedSignal {}

    /** Why a listener has ended. */
    enum Reason {
        /** More events, or more characters, waited for the listener than its bounds allow. */
        TOO_SLOW,
        /** The store was cleared, or set back to an older copy. */
        STORE_REPLACED,
        /** The listener or its feed was closed. */
        CLOSED
    }
}
