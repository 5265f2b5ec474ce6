package dev.registrar.eventstore;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * An ordered, append-only store of events with dynamic consistency boundaries. The append conditions of a request name
 * the events that must not have been appended meanwhile.
 *
 * <p>Safe for use by any number of threads. Every method may throw {@link StoreTimeoutException} and
 * {@link StoreUnavailableException}; in both cases nothing was changed. A request that exceeds the {@link StoreLimits}
 * is refused with a {@link RefusedInputException} and not sent to the database.
 *
 * <p>A store may offer more: {@link ChainingEventStore} appends several requests in one round trip,
 * {@link AppendSource} notifies listeners of appends, {@link StateStore} keeps states of projections. Callers test for
 * them with {@code instanceof} and work without them otherwise, so a decorator need not forward them.
 *
 * @see <a href="https://dcb.events/specification/">the DCB specification</a>
 */
public interface EventStore {

    /** The upper bounds of requests. */
    StoreLimits limits();

    /** The clock of the store, by which decisions on its events should be made: the same for all of its instances. */
    default InstantSource clock() {
        return InstantSource.system();
    }

    /**
     * Appends all events of a request, or none. When it returns {@link AppendResult.Appended}, the events are durable
     * and every later read sees them.
     *
     * <p>The idempotency key is looked up first: a repetition returns the positions of the first append. The append
     * conditions are then evaluated atomically with the append. The append is a transaction of its own and never joins
     * the caller's transaction.
     *
     * @return {@link AppendResult.Appended}, or the reason why nothing was appended: {@link AppendResult.Conflict} if a
     *     condition failed, {@link AppendResult.StoreReplaced} if the store no longer has the basis of a condition
     * @throws RefusedInputException if the request exceeds a limit or contains text that cannot be stored
     * @throws IdempotencyKeyReusedException if the key was used with another fingerprint
     * @throws OverloadedException if the wait queue is full; nothing was appended
     * @throws OutcomeUnknownException if the connection was lost after the request was sent: the events may be stored
     * @throws IllegalStateException if the caller is in a transaction
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
     * The positions of the events that an append with this key has stored. Empty if there was no such append, or if the
     * key has expired.
     *
     * @throws IdempotencyKeyReusedException if the key was used with another fingerprint
     */
    Optional<AppendResult.Appended> appendedUnder(IdempotencyKey key);

    /**
     * Reads the events that match a query, in the order of their positions or in reverse. The stream ends at the
     * store's head at the time of this call; events appended later are not part of it. The caller must close the
     * stream.
     *
     * @throws StoreReplacedException if the store no longer has a head in the basis of the options; the stream may also
     *     throw it while it is read
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

    /** The number of matching events. */
    long count(Query query);

    /** The current end of the store: the position and the id of its last event. */
    Head head();

    /**
     * Brings states of projections up to date, all to the same head, reading only the events that each state has not
     * seen. If the store no longer has the head of a state, that state is folded again from the first event.
     *
     * @param states one or more states, each from {@link StateAt#initial}, an earlier result, or earlier progress
     * @param progress receives intermediate states, each exact at its own head, from which a caller can resume after a
     *     failure; it does not receive the final states, which are the result
     */
    Projected project(List<? extends StateAt<?>> states, Consumer<List<StateAt<?>>> progress);

    /** Brings states up to date, without reporting progress. */
    default Projected project(List<? extends StateAt<?>> states) {
        return project(states, ignored -> {});
    }

    /** Folds the states of projections from the first event. */
    default Projected project(Projection<?>... projections) {
        return project(
                List.of(projections).stream().<StateAt<?>>map(StateAt::initial).toList());
    }
}
