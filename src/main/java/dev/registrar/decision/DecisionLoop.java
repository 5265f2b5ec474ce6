package dev.registrar.decision;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Contended;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.decision.Turns.Turn;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StateAt;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Carries out decisions: reads their facts, asks for the verdict, and appends what was accepted under the condition
 * that guards the facts. When others were faster it reads only what is new and asks again, within bounds. This is the
 * one place where anything is tried again because of a conflict.
 *
 * @param <E> the domain's events
 */
public final class DecisionLoop<E> {
    private final EventStore store;
    private final EventCodec<E> codec;
    private final RetryBounds bounds;
    private final InstantSource clock;
    private final Turns turns = new Turns();

    /**
     * A loop over one store.
     *
     * @param clock what decisions are told of the time
     */
    public DecisionLoop(EventStore store, EventCodec<E> codec, RetryBounds bounds, InstantSource clock) {
        this.store = store;
        this.codec = codec;
        this.bounds = bounds;
        this.clock = clock;
    }

    /** Carries out a decision that nobody will repeat. */
    public <R> Outcome<E, R> execute(Decision<E, R> decision, Origin origin) {
        return execute(decision, origin, null);
    }

    /**
     * Carries out a decision once, however often it is sent under one idempotency key. The key is looked up before any
     * rule; only an accepted decision uses it up.
     *
     * @throws dev.registrar.eventstore.EventStoreException if the store could not answer
     */
    public <R> Outcome<E, R> execute(Decision<E, R> decision, Origin origin, @Nullable IdempotencyKey key) {
        Optional<Appended> earlier = appendedUnder(key);
        if (earlier.isPresent()) {
            return accepted(earlier.get());
        }
        try (Turn turn = turns.none()) {
            return execute(decision, origin, key, turn);
        }
    }

    private <R> Outcome<E, R> execute(Decision<E, R> decision, Origin origin, @Nullable IdempotencyKey key, Turn turn) {
        List<StateAt<?>> initial = decision.facts().stream()
                .<StateAt<?>>map(fact -> StateAt.initial(new DecodedFact<>(fact, codec)))
                .toList();
        List<StateAt<?>> known = initial;
        String metadata = origin.metadata();
        long started = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            Projected projected = store.project(known);
            switch (decision.decide(new ProjectedFacts(projected), clock.instant())) {
                case Verdict.Refuse<E, R> refused -> {
                    return unlessRepeated(key, new Rejected<>(refused.reason()));
                }
                case Verdict.Accept<E, R> accept
                when accept.events().isEmpty() -> {
                    return unlessRepeated(
                            key, new Accepted<>(List.of(), projected.head().position(), false));
                }
                case Verdict.Accept<E, R> accept -> {
                    List<Event> events = accept.events().stream()
                            .map(event -> encode(event, metadata))
                            .toList();
                    Append request = Append.of(events)
                            .onCondition(projected.appendCondition())
                            .under(key);
                    switch (store.append(request)) {
                        case Appended appended -> {
                            return appended.repeated()
                                    ? accepted(appended)
                                    : new Accepted<>(accept.events(), appended.last(), false);
                        }
                        case AppendResult.Conflict conflict -> {
                            known = projected.states();
                            if (!pause(attempt, started) || !turn.await(conflict.item(), left(started))) {
                                return new Contended<>(attempt);
                            }
                        }
                        case AppendResult.StoreReplaced replaced -> {
                            known = initial;
                            if (!pause(attempt, started)) {
                                return new Contended<>(attempt);
                            }
                        }
                    }
                }
            }
        }
    }

    /*
     * The first request under the key may have committed after the key was looked up and before the facts were read: they
     * then tell of its own events, and refuse what was accepted. Key and events commit together, so it is visible now.
     */
    private <R> Outcome<E, R> unlessRepeated(@Nullable IdempotencyKey key, Outcome<E, R> outcome) {
        Optional<Appended> earlier = appendedUnder(key);
        return earlier.isPresent() ? accepted(earlier.get()) : outcome;
    }

    private Optional<Appended> appendedUnder(@Nullable IdempotencyKey key) {
        return key == null ? Optional.empty() : store.appendedUnder(key);
    }

    private Event encode(E event, String metadata) {
        EventCodec.Encoded encoded = codec.encode(event);
        return Event.of(encoded.type(), encoded.tags(), encoded.payload()).withMetadata(metadata);
    }

    private <R> Accepted<E, R> accepted(Appended earlier) {
        long events = earlier.last().value() - earlier.first().value() + 1;
        try (EventStream stream = store.read(
                Query.all(), ReadOptions.forwards().from(earlier.first()).limit(events))) {
            return new Accepted<>(stream.stream().map(this::decode).toList(), earlier.last(), true);
        }
    }

    private E decode(SequencedEvent event) {
        return codec.decode(event.event().type(), event.event().payload());
    }

    /* A random part of a growing pause, so that racers do not meet again; false at a bound, or when interrupted. */
    private boolean pause(int attempt, long started) {
        Duration left = left(started);
        if (attempt >= bounds.attempts()
                || !left.isPositive()
                || Thread.currentThread().isInterrupted()) {
            return false;
        }
        long longest = Math.min(bounds.pauseAfter(attempt).toNanos(), left.toNanos());
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longest) + 1);
        return true;
    }

    private Duration left(long started) {
        return bounds.deadline().minusNanos(System.nanoTime() - started);
    }

    private final class ProjectedFacts implements Facts<E> {
        private final Projected projected;

        private ProjectedFacts(Projected projected) {
            this.projected = projected;
        }

        @Override
        public <S> S get(Fact<E, S> fact) {
            return projected.state(new DecodedFact<>(fact, codec));
        }
    }
}
