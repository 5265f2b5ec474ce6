package dev.registrar.decision;

import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A part of what a decision must know, folded from domain events, and shared by several decisions. A record with the
 * ids that it is about makes a good fact: equal facts have equal states.
 *
 * <p>{@link #count}, {@link #exists}, {@link #last}, {@link #sum} and {@link #grouped} make the usual ones. Two of them
 * are equal if their arguments are; a function equals itself alone. So make a fact with a function in one method, from
 * which both {@link Decision#facts} and {@link Decision#decide} take it, and let the function capture nothing.
 *
 * @param <E> the domain's events
 * @param <S> an immutable state, small and of bounded size
 */
public interface Fact<E, S> {

    /**
     * The events that the state follows from. Ask for as little as the rule needs: what the query matches is what the
     * decision conflicts with.
     */
    Query query();

    /** The state before the first event. */
    S initial();

    /** The state after one more event. It must be pure; the time comes in with the decision. */
    S apply(S state, E event);

    /** The fact as a projection, for a look-up without a decision. */
    default Projection<S> decodedBy(EventCodec<E> codec) {
        return new DecodedFact<>(this, codec);
    }

    /**
     * The memory of a cached state in KiB, 1 or more: 1 for a few short fields, with all that is cached beside them. A
     * fact whose states hold collections adds their size.
     */
    default int weight(S state) {
        return 1;
    }

    /** How many events match a query. Events that the codec cannot read do not count. */
    static <E> Fact<E, Long> count(Query query) {
        return new ReadyFacts.Count<>(query);
    }

    /** Whether an event matches a query. Events that the codec cannot read do not count. */
    static <E> Fact<E, Boolean> exists(Query query) {
        return new ReadyFacts.Exists<>(query);
    }

    /**
     * The last event of a class that matches a query; empty if there is none.
     *
     * @param events a class of events, or an interface of several; other events that match the query are ignored
     */
    static <E, T extends E> Fact<E, Optional<T>> last(Class<T> events, Query query) {
        return new ReadyFacts.Last<>(events, query);
    }

    /**
     * The sum of a value over the events of a class that match a query; 0 if there is none. A sum beyond the range of
     * {@code long} fails the decision with an {@link ArithmeticException}.
     *
     * @param events a class of events, or an interface of several; other events that match the query are ignored
     * @param value pure; negative values are subtracted
     */
    static <E, T extends E> Fact<E, Long> sum(Class<T> events, Query query, ToLongFunction<? super T> value) {
        return new ReadyFacts.Sum<>(events, query, value);
    }

    /**
     * The states of one fact for each of several groups of events, such as the courses of a student. All groups are
     * folded in one pass. Each event copies the map, so that a few hundred groups are cheap; to fold many groups of a
     * long history, use {@link dev.registrar.eventstore.GroupFold}.
     *
     * @param each the fact of a group; its query is the query of the whole
     * @param keys the groups that an event belongs to, none or more; a state sees an event once for each
     * @param most groups, 1 or more; an event that begins another one fails the decision with an
     *     {@link IllegalStateException}
     */
    static <E, K, S> Fact<E, Map<K, S>> grouped(
            Fact<E, S> each, Function<? super E, ? extends Collection<K>> keys, int most) {
        return new ReadyFacts.Grouped<>(each, keys, most);
    }
}
