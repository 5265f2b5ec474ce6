package dev.registrar.decision.testkit;

import dev.registrar.decision.Decision;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.EventCodec;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome;
import dev.registrar.decision.RetryBounds;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * A past in which a decision is carried out. The past is written to a store in memory and read back through the
 * decision's own queries, so a scenario also tries the tags, the queries and the codec. It needs no test framework:
 * what is claimed in vain throws an {@link AssertionError}.
 *
 * <pre>{@code
 * Scenario.of(codec)
 *         .given(courseDefined(MATHS, seats(1)), studentRegistered(BOB), studentEnrolled(ANN, MATHS))
 *         .when(new EnrollStudent(BOB, MATHS))
 *         .thenRefused(COURSE_FULL);
 * }</pre>
 *
 * @param codec how the events are written down
 * @param past what has happened, in this order
 * @param now the time that the decision is told
 * @param <E> the domain's events
 */
public record Scenario<E>(EventCodec<E> codec, List<E> past, Instant now) {
    /** The time in a scenario that sets none. */
    public static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    public Scenario {
        past = List.copyOf(past);
    }

    /** A scenario in which nothing has happened, at {@link #NOON}. */
    public static <E> Scenario<E> of(EventCodec<E> codec) {
        return new Scenario<>(codec, List.of(), NOON);
    }

    /** The same scenario in which these events have happened as well, last. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only copied
    public final Scenario<E> given(E... events) {
        return new Scenario<>(
                codec, Stream.concat(past.stream(), Stream.of(events)).toList(), now);
    }

    public Scenario<E> at(Instant instant) {
        return new Scenario<>(codec, past, instant);
    }

    /**
     * Carries the decision out.
     *
     * @throws AssertionError if an event does not come back from the store as it went there
     */
    public <R> Then<E, R> when(Decision<E, R> decision) {
        EventStore store = new InMemoryEventStore(() -> now);
        past.forEach(event -> store.append(List.of(encode(event))));
        requireSame("What was given", past, readAfter(store, Position.START));
        Position head = store.head().position();
        Outcome<E, R> outcome =
                new DecisionLoop<>(store, codec, RetryBounds.DEFAULT, 0, () -> now).execute(decision, Origin.UNKNOWN);
        List<E> decided = outcome instanceof Outcome.Accepted<E, R> accepted ? accepted.events() : List.of();
        requireSame("What was decided", decided, readAfter(store, head));
        return new Then<>(decision, outcome);
    }

    private Event encode(E event) {
        EventCodec.Encoded encoded = codec.encode(event);
        return Event.of(encoded.type(), encoded.tags(), encoded.payload());
    }

    private List<E> readAfter(EventStore store, Position position) {
        return store.read(Query.all(), ReadOptions.forwards().after(position)).toList().stream()
                .map(stored ->
                        codec.decode(stored.event().type(), stored.event().payload()))
                .toList();
    }

    private static void requireSame(String what, List<?> written, List<?> readBack) {
        if (!written.equals(readBack)) {
            throw new AssertionError(
                    "%s does not come back from the store as it went there:%n  written:   %s%n  read back: %s"
                            .formatted(what, written, readBack));
        }
    }
}
