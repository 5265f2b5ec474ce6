package dev.registrar.subscription;

import dev.registrar.eventstore.SequencedEvent;

/** What a listener hears next. */
public sealed interface FeedSignal {

    /** An event. */
    record News(SequencedEvent event) implements FeedSignal {}

    /** Nothing in that time. */
    record Silence() implements FeedSignal {}

    /** Nothing more, ever: whoever still wants to listen does so anew, after the last event that was heard. */
    record End(Reason reason) implements FeedSignal {}

    /** Why nothing more will be heard. */
    enum Reason {
        /** More events waited for the listener than may. */
        TOO_SLOW,
        /** The store was cleared or set back. */
        STORE_REPLACED,
        /** It was closed, by the listener or with the feed. */
        CLOSED
    }
}
