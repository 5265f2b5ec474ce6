package dev.registrar.projection;

import dev.registrar.eventstore.SequencedEvent;

/**
 * Sends commands in reaction to events. On its first start it begins after the last stored event. If the store was
 * cleared or set back, it begins at the first event.
 */
public non-sealed interface Automation extends Follower {

    @Override
    default int version() {
        return 1;
    }

    /**
     * Sends the commands that an event causes. It may be called again for the same event, after a crash or a failure,
     * so commands carry idempotency keys made from the event's position.
     *
     * @throws RuntimeException if the event cannot be handled; it is retried
     */
    void react(SequencedEvent event);
}
