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
import dev.registrar.eventstore.SequencedEvent;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * A test of a decision: given past events, when the decision is carried out, then an outcome. The past events are
 * appended to an in-memory store and read back through the decision's own queries, so a scenario also tests tags,
 * queries and codec. It needs no test framework: a failed assertion throws an {@link AssertionError}.
 *
 * <pre>{@code
 * Scenario.of(codec)
 *         .given(courseDefined(MATHS, seats(1)), studentRegistered(BOB), studentEnrolled(ANN, MATHS))
 *         .when(new EnrollStudent(BOB, MATHS))
 *         .thenRefused(COURSE_FULL);
 * }</pre>
 *
 * @param codec the codec of the events
 * @param past the past events in order, in their stored form
 * @param now the time that is passed to the decision
 * @param <E> the domain's events
 */
public record Scenario<E>(EventCodec<E> codec, List<Event> past, Instant now) {
    /** The default time of a scenario. */
    public static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    public Scenario {
        past = List.copyOf(past);
    }

    /** A scenario without past events, at {@link #NOON}. */
    public static <E> Scenario<E> of(EventCodec<E> codec) {
        return new Scenario<>(codec, List.of(), NOON);
    }

    /**
     * The same scenario with these events added to the past.
     *
     * @throws AssertionError if the codec does not decode an event to an equal one
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only copied
    public final Scenario<E> given(E... events) {
        List<Event> encoded = Stream.of(events)
                .map(codec::encode)
                .map(EventCodec.Encoded::event)
                .toList();
        requireSame("The given events", List.of(events), decoded(encoded));
        return after(encoded);
    }

    /**
     * The same scenario with an event added to the past in a given stored form, such as that of an earlier version of
     * the domain.
     *
     * @param type the type name under which the event is stored
     * @param payload the payload as text
     * @throws AssertionError if the codec cannot read the event
     */
    public Scenario<E> givenStored(String type, String payload, String... tags) {
        Event stored = Event.of(type, payload, tags);
        codec.unreadable(stored).ifPresent(reason -> {
            throw new AssertionError(
                    "The codec cannot read the given '%s' event %s: %s".formatted(type, payload, reason));
        });
        return after(List.of(stored));
    }

    private Scenario<E> after(List<Event> events) {
        return new Scenario<>(
                codec, Stream.concat(past.stream(), events.stream()).toList(), now);
    }

    /** The same scenario at another time. */
    public Scenario<E> at(Instant instant) {
        return new Scenario<>(codec, past, instant);
    }

    /**
     * Carries out the decision.
     *
     * @throws AssertionError if the codec does not decode a decided event to an equal one
     */
    public <R> Then<E, R> when(Decision<E, R> decision) {
        EventStore store = new InMemoryEventStore(() -> now);
        past.forEach(event -> store.append(List.of(event)));
        Position head = store.head().position();
        Outcome<E, R> outcome =
                new DecisionLoop<>(store, codec, RetryBounds.DEFAULT, 0, () -> now).execute(decision, Origin.UNKNOWN);
        List<E> decided = outcome instanceof Outcome.Accepted<E, R> accepted && !accepted.repeated()
                ? accepted.events()
                : List.of();
        List<Event> appended = store.read(Query.all(), ReadOptions.forwards().after(head)).toList().stream()
                .map(SequencedEvent::event)
                .toList();
        requireSame("The decided events", decided, decoded(appended));
        return new Then<>(decision, outcome);
    }

    private List<E> decoded(List<Event> stored) {
        return stored.stream().map(codec::decode).toList();
    }

    private static void requireSame(String what, List<?> written, List<?> readBack) {
        if (!written.equals(readBack)) {
            throw new AssertionError(
                    "%s are not equal to the events read back from the store:%n  written:   %s%n  read back: %s"
                            .formatted(what, written, readBack));
        }
    }
}
