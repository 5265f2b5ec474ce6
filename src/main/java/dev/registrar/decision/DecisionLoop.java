package dev.registrar.decision;

import dev.registrar.concurrent.Deadline;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.PendingDecision.Result;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
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
    /*
     * When n callers race for one course, each append that succeeds makes the appends of all others fail, which then read
     * and append again: n tries for one success. So who is about to append something that a decision of others may rest on
     * opens a line for it. Those others stand there until it is done, and so do those who were too late for the same reason
     * and those who come while there is a line; whoever leads it decides all that wait there in one round: one read, one
     * append. Callers of other processes race on, and lines of other reasons know nothing of it. Nobody waits in a circle: a
     * caller waits in one line at a time and keeps none open meanwhile, and who leads a line waits for no other.
     */
    private static final int MOST_PER_ROUND = 128;
    private static final long LOOK_AGAIN = Duration.ofMillis(10).toNanos();

    private static final long CACHED_STATES = 10_000;

    private final EventStore store;
    private final EventCodec<E> codec;
    private final RetryBounds bounds;
    private final InstantSource clock;
    private final StateCache<E> cache;
    private final ContentionQueues<E> lines = new ContentionQueues<>();

    /**
     * A loop over one store.
     *
     * @param cachedStates how many states of facts are kept, each of weight 1; 0 keeps none
     * @param clock what decisions are told of the time
     */
    public DecisionLoop(
            EventStore store, EventCodec<E> codec, RetryBounds bounds, long cachedStates, InstantSource clock) {
        this.store = store;
        this.codec = codec;
        this.bounds = bounds;
        this.clock = clock;
        this.cache = new StateCache<>(cachedStates);
    }

    /** A loop with {@link RetryBounds#DEFAULT}, up to 10,000 cached states of weight 1, and the system's clock. */
    public DecisionLoop(EventStore store, EventCodec<E> codec) {
        this(store, codec, RetryBounds.DEFAULT, CACHED_STATES, InstantSource.system());
    }

    /** Carries out a decision of unknown origin that is not repeated. */
    public <R> Outcome<E, R> execute(Decision<E, R> decision) {
        return execute(decision, Origin.UNKNOWN);
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
        PendingDecision<E, R> mine = new PendingDecision<>(decision, codec, origin.metadata(), key);
        carryOut(mine);
        return switch (mine.result()) {
            case Result.Settled<E, R> settled -> unlessRepeated(key, settled.outcome());
            case Result.Repeated<E, R> repeated -> accepted(repeated.earlier());
            case Result.Failed<E, R> failed -> throw failed.reason();
        };
    }

    private void carryOut(PendingDecision<E, ?> mine) {
        QueryItem line = lines.lineOf(mine);
        while (!mine.isOver()) {
            if (line == null) {
                boolean beaten = run(List.of(mine));
                endIfLate(mine);
                if (beaten) {
                    pause(mine);
                }
            } else {
                standIn(line, mine);
            }
            line = mine.reason();
        }
    }

    /* Until it is over, or was too late for something else. */
    private void standIn(QueryItem line, PendingDecision<E, ?> mine) {
        boolean interrupted = false;
        lines.join(line, mine);
        while (!mine.isOver() && mine.standsInLine()) {
            if (mine.leads()) {
                lead(line, mine);
            } else {
                Duration left = mine.left(bounds);
                boolean givesUp = interrupted || !left.isPositive();
                if (givesUp && lines.leave(line, mine)) {
                    mine.contended();
                } else {
                    // Who gives up and cannot leave is being decided just now, which takes as long as the store may
                    // take.
                    LockSupport.parkNanos(this, givesUp ? LOOK_AGAIN : left.toNanos());
                    interrupted |= Thread.interrupted();
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void lead(QueryItem line, PendingDecision<E, ?> mine) {
        try {
            while (!mine.isOver() && mine.standsInLine()) {
                List<PendingDecision<E, ?>> next = lines.next(line, MOST_PER_ROUND);
                next.stream()
                        .filter(decision -> !decision.left(bounds).isPositive())
                        .forEach(PendingDecision::contended);
                next.removeIf(PendingDecision::isOver);
                if (!next.isEmpty() && decide(next)) {
                    pause(mine);
                }
                List<PendingDecision<E, ?>> again = new ArrayList<>();
                for (PendingDecision<E, ?> decision : next) {
                    if (!decision.isOver() && !decision.mayGoOn(bounds)) {
                        decision.contended();
                    }
                    if (!decision.isOver()) {
                        if (decision.reason() == null || line.equals(decision.reason())) {
                            again.add(decision);
                        } else {
                            decision.leaveLine();
                        }
                    }
                }
                lines.putBack(line, again);
            }
        } finally {
            mine.lead(false);
            lines.passOn(line);
        }
    }

    /* Nobody of those that were taken from a line is left without an answer. */
    private boolean decide(List<PendingDecision<E, ?>> next) {
        try {
            // Nor is their time that of whoever leads them.
            return Deadline.disregarded(() -> run(next));
        } catch (RuntimeException | Error mistake) {
            next.forEach(decision -> decision.fail(new IllegalStateException("A decision failed", mistake)));
            return false;
        }
    }

    private boolean run(List<PendingDecision<E, ?>> decisions) {
        return new DecisionBatch<>(store, codec, cache, lines, clock.instant()).run(decisions);
    }

    /*
     * The first request under the key may have committed after the key was looked up and before the facts were read: they
     * then tell of its own events, and refuse what was accepted. Key and events commit together, so it is visible now.
     */
    private <R> Outcome<E, R> unlessRepeated(@Nullable IdempotencyKey key, Outcome<E, R> outcome) {
        boolean appended =
                outcome instanceof Accepted<E, R> accepted && !accepted.events().isEmpty();
        Optional<Appended> earlier = appended ? Optional.empty() : appendedUnder(key);
        return earlier.isPresent() ? accepted(earlier.get()) : outcome;
    }

    private Optional<Appended> appendedUnder(@Nullable IdempotencyKey key) {
        return key == null ? Optional.empty() : store.appendedUnder(key);
    }

    /* What is stored cannot be told as a failure that changed nothing. */
    private <R> Accepted<E, R> accepted(Appended earlier) {
        long events = earlier.last().value() - earlier.first().value() + 1;
        try (EventStream stream = store.read(
                Query.all(), ReadOptions.forwards().from(earlier.first()).limit(events))) {
            return new Accepted<>(stream.stream().map(this::decode).toList(), earlier.last(), true);
        } catch (EventStoreException failure) {
            throw new OutcomeUnknownException(
                    "The events under this idempotency key are stored but could not be read",
                    failure,
                    failure.category().orElse(FailureCategory.UNKNOWN));
        }
    }

    private E decode(SequencedEvent event) {
        return codec.decode(event.event().type(), event.event().payload());
    }

    private void endIfLate(PendingDecision<E, ?> mine) {
        if (!mine.isOver() && (!mine.mayGoOn(bounds) || Thread.currentThread().isInterrupted())) {
            mine.contended();
        }
    }

    /* A random part of a growing pause, so that racers do not meet again; the end at a bound, or when interrupted. */
    private void pause(PendingDecision<E, ?> mine) {
        endIfLate(mine);
        if (mine.isOver()) {
            return;
        }
        long longest = Math.min(
                bounds.pauseAfter(mine.attempts()).toNanos(), mine.left(bounds).toNanos());
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(Math.max(1, longest)) + 1);
    }
}
