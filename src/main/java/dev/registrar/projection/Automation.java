package dev.registrar.projection;

import dev.registrar.eventstore.SequencedEvent;

/**
 * Events that cause commands. It starts behind the last event that is there when it is first seen, and at the first one
 * of a store that was cleared or set back.
 */
public non-sealed interface Automation extends Follower {

    @Override
    default int version() {
        return 1;
    }

    /**
     * Gives the commands that an event causes. It may be called again for the same event, after a crash or a failure:
     * commands carry idempotency keys made from the event's position.
     */
    void react(SequencedEvent event);
}
