package dev.registrar.projection;

import dev.registrar.eventstore.SequencedEvent;
import java.util.List;

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

    /**
     * Maximum number of events that are passed on together, 1 or more; by default each is passed on alone. The
     * checkpoint moves behind all of them when the automation has reacted to all.
     */
    default int batch() {
        return 1;
    }

    /**
     * Sends the commands that some events cause, as {@link #react(SequencedEvent)} does for one. After a failure the
     * events are passed on again in smaller batches, at first one by one.
     *
     * @param events in the order of their positions, 1 to {@link #batch()}
     * @throws RuntimeException if the events cannot be handled
     */
    default void react(List<SequencedEvent> events) {
        events.forEach(this::react);
    }
}
