package dev.registrar.eventstore;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * An ordered, append-only store of events with dynamic consistency boundaries: each append states, as append
 * conditions, the events that must not have been appended meanwhile.
 *
 * <p>Safe for use by any number of threads. Every method may throw {@link StoreTimeoutException} and
 * {@link StoreUnavailableException}; after either, nothing has been changed. A request that exceeds the
 * {@link StoreLimits} is refused with a {@link RefusedInputException} before anything is sent.
 *
 * <p>A store may offer more: {@link ChainingEventStore} appends several requests in one round trip,
 * {@link AppendSource} notifies listeners of appends. Callers ask by {@code instanceof} and do without otherwise, so
 * that a decorator need not forward what it does not change.
 *
 * @see <a href="https://dcb.events/specification/">the DCB specification</a>
 */
public interface EventStore {

    /** The upper bounds of requests. */
    StoreLimits limits();

    /**
     * Appends all events of a request, or none. When it returns {@link AppendResult.Appended}, the events are durable
     * and every later read sees them.
     *
     * <p>An idempotency key is looked up first: a repetition returns the positions of the first append. The append
     * conditions are judged next, together with the append, so that no other append comes between. The append is a
     * transaction of its own and never joins a caller's.
     *
     * @return {@link AppendResult.Appended}, or the reason why nothing was appended: {@link AppendResult.Conflict} if a
     *     condition failed, {@link AppendResult.StoreReplaced} if the store has lost a head that a condition rests on
     * @throws RefusedInputException if the request exceeds a limit or holds text that cannot be stored
     * @throws IdempotencyKeyReusedException if the key was used with another fingerprint
     * @throws OverloadedException if too many requests are waiting already; nothing was appended
     * @throws OutcomeUnknownException if the connection was lost after the request was sent: the events may be stored
     * @throws IllegalStateException if called inside a transaction
     */
    AppendResult append(Append request);

    /** Appends events without a condition. */
    default AppendResult append(List<Event> events) {
        return append(Append.of(events));
    }

    /** Appends events on one condition. */
    default AppendResult append(List<Event> events, AppendCondition condition) {
        return append(Append.of(events).onCondition(condition));
    }

    /**
     * The positions that an append under a key stored its events at; empty if there was none, or if the retention of
     * the key has passed.
     *
     * @throws IdempotencyKeyReusedException if the key was used with another fingerprint
     */
    Optional<AppendResult.Appended> appendedUnder(IdempotencyKey key);

    /**
     * Reads the events that match a query, in the order of their positions or in reverse. The stream ends at the head
     * that the store has now; events appended later are not part of it. Close it.
     *
     * @throws StoreReplacedException if the store has lost a head that the options name as their basis, also while the
     *     stream is read
     */
    EventStream read(Query query, ReadOptions options);

    /** Reads all events that match a query, in the order of their positions. */
    default EventStream read(Query query) {
        return read(query, ReadOptions.forwards());
    }

    /** The matching event with the highest position; empty if no event matches. */
    Optional<SequencedEvent> last(Query query);

    /** Whether any event matches. */
    boolean exists(Query query);

    /** How many events match. */
    long count(Query query);

    /** The end of the store now: the position and the id of its last event. */
    Head head();

    /**
     * Brings states of projections up to date, all to one head, reading only events that each has not seen. A state
     * whose head the store has lost is folded again from the start.
     *
     * @param states one or more, each from {@link StateAt#initial}, from an earlier result, or from earlier progress
     * @param progress receives the states on the way to the head, each exact at its own head, so that a caller can go
     *     on from there after a failure; it does not receive the last states, which are the result
     */
    Projected project(List<? extends StateAt<?>> states, Consumer<List<StateAt<?>>> progress);

    /** Brings states up to date, for a caller that starts again after a failure. */
    default Projected project(List<? extends StateAt<?>> states) {
        return project(states, onTheWay -> {});
    }

    /** The states of projections, folded from the first event. */
    default Projected project(Projection<?>... projections) {
        return project(
                List.of(projections).stream().<StateAt<?>>map(StateAt::initial).toList());
    }
}
