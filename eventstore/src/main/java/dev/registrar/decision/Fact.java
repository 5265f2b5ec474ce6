package dev.registrar.decision;

import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A piece of knowledge for decisions, folded from domain events. Several decisions can share a fact. A record of the
 * ids that the fact is about works well, because equal facts must have equal states.
 *
 * <p>{@link #count}, {@link #exists}, {@link #last}, {@link #sum} and {@link #grouped} create common facts. Two such
 * facts are equal if their arguments are, and a function is equal only to itself. So create a fact with a function in
 * one method that both {@link Decision#facts} and {@link Decision#decide} call, and let the function capture nothing.
 *
 * @param <E> the domain's events
 * @param <S> the state: immutable, small and of bounded size
 */
public interface Fact<E, S> {

    /**
     * The query for the events that are folded. Make it as narrow as the rule allows: the decision conflicts with every
     * event that it matches.
     */
    Query query();

    /** The state before the first event. */
    S initial();

    /**
     * The state after one more event. This method must be pure; a rule that needs the time receives it in
     * {@link Decision#decide}.
     */
    S apply(S state, E event);

    /** This fact as a projection, for a look-up without a decision. */
    default Projection<S> decodedBy(EventCodec<E> codec) {
        return new DecodedFact<>(this, codec, 0);
    }

    /**
     * The memory of a cached state in KiB, 1 or more. 1 covers a few short fields and the overhead of the cache entry.
     * A fact whose states contain collections adds their size.
     */
    default int weight(S state) {
        return 1;
    }

    /**
     * How the states of this fact are stored, so that a fresh process need not fold a long history from its first
     * event. By default they are not stored, which is right for facts of at most a few thousand events.
     *
     * @see StoredStates
     */
    default Optional<StoredForm<S>> storedForm() {
        return Optional.empty();
    }

    /** The number of events that match a query. */
    static <E> Fact<E, Long> count(Query query) {
        return new ReadyFacts.Count<>(query);
    }

    /** Whether an event matches a query. */
    static <E> Fact<E, Boolean> exists(Query query) {
        return new ReadyFacts.Exists<>(query);
    }

    /**
     * The last event of a class that matches a query; empty if there is none.
     *
     * @param events an event class, or an interface of several; other events that match the query are ignored
     */
    static <E, T extends E> Fact<E, Optional<T>> last(Class<T> events, Query query) {
        return new ReadyFacts.Last<>(events, query);
    }

    /**
     * The sum of a value over the events of a class that match a query; 0 if there is none. A sum outside the range of
     * {@code long} fails the decision with an {@link ArithmeticException}.
     *
     * @param events an event class, or an interface of several; other events that match the query are ignored
     * @param value a pure function; negative values are subtracted
     */
    static <E, T extends E> Fact<E, Long> sum(Class<T> events, Query query, ToLongFunction<? super T> value) {
        return new ReadyFacts.Sum<>(events, query, value);
    }

    /**
     * The state of a fact for each of several groups of events, such as the courses of a student. All groups are folded
     * in one pass. Each event copies the map, which is cheap for a few hundred groups. To fold many groups of a long
     * history, use {@link dev.registrar.eventstore.GroupFold}.
     *
     * @param each the fact of a single group; its query selects the events of all groups
     * @param keys the groups of an event, none or more; the event is applied once for each group
     * @param most the maximum number of groups, 1 or more; an event that adds a further group fails the decision with
     *     an {@link IllegalStateException}
     */
    static <E, K, S> Fact<E, Map<K, S>> grouped(
            Fact<E, S> each, Function<? super E, ? extends Collection<K>> keys, int most) {
        return new ReadyFacts.Grouped<>(each, keys, most);
    }
}
