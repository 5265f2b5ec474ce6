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
     * Sends the commands that an event causes, at least once. It is called outside of any transaction, in one instance
     * at a time, and may take any time: other instances wait for {@link ProjectionOptions#lease()}, which is renewed
     * meanwhile. It is called again for the same event after it has thrown, and after its instance was killed or could
     * not reach the database until the lease had ended, or for 6 s afterwards; then the earlier call may still run. So
     * commands carry idempotency keys made from the event's position.
     *
     * @throws RuntimeException if the event cannot be handled; it is retried
     */
    void react(SequencedEvent event);
}
