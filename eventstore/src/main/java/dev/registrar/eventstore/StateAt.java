package dev.registrar.eventstore;

import org.jspecify.annotations.Nullable;

/**
 * A projection and its state at a head.
 *
 * @param head the head up to which the state is folded; null before the first read
 * @param read the head of the read that has folded it, which is later if the read has not finished: the folded events
 *     had the tags that were theirs at that head; null before the first read
 * @param events the number of events that were folded since the initial state
 */
public record StateAt<S>(
        Projection<S> projection,
        S state,
        @Nullable Head head,
        @Nullable Head read,
        long events) {

    /** A state at the head of the read that has folded it. */
    public StateAt(Projection<S> projection, S state, @Nullable Head head, long events) {
        this(projection, state, head, head, events);
    }

    /** The initial state of a projection. */
    public static <S> StateAt<S> initial(Projection<S> projection) {
        return new StateAt<>(projection, projection.initial(), null, 0);
    }

    /** The position up to which the state is folded. */
    public Position position() {
        return head == null ? Position.START : head.position();
    }

    /** The state after one more event of its query. The heads do not change. */
    public StateAt<S> apply(SequencedEvent event) {
        return new StateAt<>(projection, projection.apply(state, event), head, read, events + 1);
    }

    /** The same state at the later of its own head and the given one, of a read that has not finished. */
    public StateAt<S> atLeastAt(Head reached, Head reader) {
        return reached.position().isAfter(position())
                ? new StateAt<>(projection, state, reached, reader, events)
                : this;
    }

    /** The same state at another head, of a read that has finished. */
    public StateAt<S> at(Head reached) {
        return new StateAt<>(projection, state, reached, events);
    }
}
