package dev.registrar.projection;

import dev.registrar.eventstore.SequencedEvent;

/**
 * Commands that are given because of events. When it is first started, it begins after the last event that is stored;
 * in a store that was cleared or set back, it begins at the first event.
 */
public non-sealed interface Automation extends Follower {

    @Override
    default int version() {
        return 1;
    }

    /**
     * Gives the commands that an event causes. It may be called again for the same event, after a crash or a failure,
     * so commands carry idempotency keys made from the event's position.
     *
     * @throws RuntimeException if the event cannot be handled; it is tried again
     */
    void react(SequencedEvent event);
}
