package dev.registrar.eventstore;

import org.jspecify.annotations.Nullable;

/**
 * A projection with the state it had at a head.
 *
 * @param head the last one that the state has seen; null before the first read
 */
public record StateAt<S>(
        Projection<S> projection, S state, @Nullable Head head) {

    /** A projection that has read nothing yet. */
    public static <S> StateAt<S> initial(Projection<S> projection) {
        return new StateAt<>(projection, projection.initial(), null);
    }

    /** The last position that the state has seen. */
    public Position position() {
        return head == null ? Position.START : head.position();
    }

    /** The state after one more event of its query; its head does not change. */
    public StateAt<S> apply(SequencedEvent event) {
        return new StateAt<>(projection, projection.apply(state, event), head);
    }

    /** The same state, which has now seen everything up to a position, unless it had seen more before. */
    public StateAt<S> atLeastAt(Head reached) {
        return reached.position().isAfter(position()) ? at(reached) : this;
    }

    /** The same state, which has now seen everything up to a head. */
    public StateAt<S> at(Head reached) {
        return new StateAt<>(projection, state, reached);
    }
}
