package dev.registrar.eventstore;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * An ordered, append-only store of events, whose consistency boundary is drawn by each append's conditions.
 *
 * <p>Safe for use by any number of threads. Every method may throw {@link StoreTimeoutException} and
 * {@link StoreUnavailableException}; both mean that nothing was changed. What exceeds the {@link StoreLimits} is
 * refused with a {@link RefusedInputException} before anything is sent.
 */
public interface EventStore {

    /** The bounds of what the store takes. */
    StoreLimits limits();

    /**
     * Appends all events of a request, or none.
     *
     * <p>An idempotency key is looked up first: a repetition answers with the first append's positions. Then the
     * conditions are judged. It never joins a caller's transaction.
     *
     * @throws RefusedInputException if the request exceeds a limit or holds text that cannot be stored
     * @throws IdempotencyKeyReusedException if the key was used for something else
     * @throws OverloadedException if too many requests are waiting already
     * @throws OutcomeUnknownException if the connection was lost after the request was sent: the events may be stored
     * @throws IllegalStateException if called inside a transaction
     */
    AppendResult append(Append request);

    default AppendResult append(List<Event> events) {
        return append(Append.of(events));
    }

    default AppendResult append(List<Event> events, AppendCondition condition) {
        return append(Append.of(events).onCondition(condition));
    }

    /**
     * What an append under this key stored, if there was one and the key's retention has not passed.
     *
     * @throws IdempotencyKeyReusedException if the key was used for something else
     */
    Optional<AppendResult.Appended> appendedUnder(IdempotencyKey key);

    /**
     * The matching events in the order of their positions, or in the reverse.
     *
     * @throws StoreReplacedException if the store has lost a head that the options name as their basis
     */
    EventStream read(Query query, ReadOptions options);

    default EventStream read(Query query) {
        return read(query, ReadOptions.forwards());
    }

    /** The matching event with the highest position. */
    Optional<SequencedEvent> last(Query query);

    boolean exists(Query query);

    long count(Query query);

    Head head();

    /**
     * Brings states up to date, all to one head, reading only what each has not seen. A state whose head the store has
     * lost is folded again from the start.
     *
     * @param states one or more, each from {@link StateAt#initial}, from an earlier answer, or from earlier progress
     * @param progress is told of the states on the way to the head, so that a read that fails need not be repeated from
     *     its beginning: each is exact at its own head. It is not told of the last ones, which are the answer
     */
    Projected project(List<? extends StateAt<?>> states, Consumer<List<StateAt<?>>> progress);

    /** The same, for a caller that begins again after a failure. */
    default Projected project(List<? extends StateAt<?>> states) {
        return project(states, onTheWay -> {});
    }

    /** The states of projections, folded from the start. */
    default Projected project(Projection<?>... projections) {
        return project(
                List.of(projections).stream().<StateAt<?>>map(StateAt::initial).toList());
    }
}
