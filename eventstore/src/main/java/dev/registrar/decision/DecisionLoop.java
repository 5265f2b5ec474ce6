package dev.registrar.decision;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.decision.PendingDecision.Result;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.ErasingEventStore;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Carries out decisions: reads their facts, asks for the verdict, and appends the accepted events on conditions that
 * guard the facts. After a conflict it reads only the new events and decides again, within bounds. No other class
 * retries after a conflict.
 *
 * @param <E> the domain's events
 */
public final class DecisionLoop<E> {
    /*
     * When n callers race for one course, each successful append fails the appends of all others. They then read and
     * append again: n attempts for one success. So before it appends, a decision opens a wait queue for each query item
     * that its events match. Decisions whose facts contain the item wait there, and so do decisions that have lost a
     * race for it. A thread of the queue decides them in one batch: one read, one append. Callers in other processes
     * still race, and the queues of other items are independent. Deadlocks are impossible: a caller waits in one queue
     * at a time and holds no queue open meanwhile, and the thread of a batch waits in no other queue.
     */
    /** The default total weight of the cached states of facts. */
    public static final long CACHED_STATES = 10_000;

    private final EventStore store;
    private final EventCodec<E> codec;
    private final RetryBounds bounds;
    private final InstantSource clock;
    private final StateCache<E> cache;
    private final StoredStates stored;
    private final ContentionRecorder contention;
    private final ContentionQueues<E> queues = new ContentionQueues<>(this::decideTogether);

    /** Creates a loop over a store, which neither records where its decisions compete nor stores states. */
    public DecisionLoop(
            EventStore store, EventCodec<E> codec, RetryBounds bounds, long cachedStates, InstantSource clock) {
        this(store, codec, bounds, cachedStates, clock, ContentionRecorder.off(), StoredStates.off());
    }

    /**
     * Creates a loop over a store, which records where its decisions compete, and stores large states.
     *
     * @param cachedStates the total weight of the cached states of facts ({@link Fact#weight}); 0 disables the cache
     * @param clock the clock whose time is passed to decisions; usually {@link EventStore#clock}
     * @param contention may be shared with other callers of the same store
     * @param stored may be shared with other loops on the same store; the loop does not close it
     */
    public DecisionLoop(
            EventStore store,
            EventCodec<E> codec,
            RetryBounds bounds,
            long cachedStates,
            InstantSource clock,
            ContentionRecorder contention,
            StoredStates stored) {
        this.store = store;
        this.codec = codec;
        this.bounds = bounds;
        this.clock = clock;
        this.cache = new StateCache<>(cachedStates);
        this.contention = contention;
        this.stored = stored;
        if (store instanceof ErasingEventStore erasing) {
            // In this order: an erasure between the two would leave the cache with an old number, and so without
            // states.
            erasing.onErasure(() -> cache.erased(erasing::erasures));
            cache.erased(erasing::erasures);
        }
    }

    /**
     * Creates a loop with {@link RetryBounds#DEFAULT}, cached states with a total weight of 10,000, and the store's
     * clock.
     */
    public DecisionLoop(EventStore store, EventCodec<E> codec) {
        this(store, codec, RetryBounds.DEFAULT, CACHED_STATES, store.clock());
    }

    /**
     * The query items for whose events the decisions of this process compete: those of the recorder, the most active
     * first, with the decisions of this loop that wait for each. Empty if the recorder is off.
     */
    public List<ItemContention> contention() {
        return contention.latest(queues.waiting());
    }

    /** Carries out a decision of unknown origin, without an idempotency key. */
    public <R> Outcome<E, R> execute(Decision<E, R> decision) {
        return execute(decision, Origin.UNKNOWN);
    }

    /** Carries out a decision without an idempotency key. */
    public <R> Outcome<E, R> execute(Decision<E, R> decision, Origin origin) {
        return execute(decision, origin, null);
    }

    /**
     * Carries out a decision at most once for each idempotency key. The key is looked up before the rules are
     * evaluated. Only an accepted decision uses the key.
     *
     * @throws IllegalArgumentException if the decision names no fact and is not a {@link CommutativeDecision}
     * @throws UnreadableEventException if the decision depends on an event that the codec cannot read
     * @throws NewerEventException if the decision depends on an event of a later version of the domain
     * @throws IllegalStateException if the queries of its facts have more items, types or tags than the store allows
     * @throws dev.registrar.eventstore.EventStoreException if the store fails
     */
    public <R> Outcome<E, R> execute(Decision<E, R> decision, Origin origin, @Nullable IdempotencyKey key) {
        Optional<Appended> earlier = appendedUnder(key);
        if (earlier.isPresent()) {
            return accepted(earlier.get());
        }
        if (decision instanceof CommutativeDecision<E, R> commutative) {
            return unlessRepeated(key, appendUnconditionally(commutative, origin, key));
        }
        PendingDecision<E, R> mine = new PendingDecision<>(decision, codec, erasures(), origin, key, bounds);
        carryOut(mine);
        return switch (mine.result()) {
            case Result.Settled<E, R> settled -> unlessRepeated(key, settled.outcome());
            case Result.Repeated<E, R> repeated -> accepted(repeated.earlier());
            case Result.Failed<E, R> failed -> throw reason(mine, failed.reason());
        };
    }

    private long erasures() {
        return store instanceof ErasingEventStore erasing ? erasing.erasures() : 0;
    }

    /*
     * A query with too many items is a mistake in the decision. The caller cannot correct it, and must not be told that
     * its input was refused.
     */
    private RuntimeException reason(PendingDecision<E, ?> mine, RuntimeException failure) {
        if (failure instanceof RefusedInputException) {
            try {
                // All facts together are the conditions of one append.
                store.limits()
                        .checkNumbers(new Query(mine.facts().stream()
                                .flatMap(fact -> fact.query().items().stream())
                                .toList()));
            } catch (RefusedInputException limit) {
                return new IllegalStateException(
                        "The facts of the decision %s exceed a limit of the store: %s"
                                .formatted(mine.decision().commandType(), limit.getMessage()),
                        failure);
            }
        }
        return failure;
    }

    /* The verdict depends on nothing that could change, so there is no read, no wait and no second attempt. */
    private <R> Outcome<E, R> appendUnconditionally(
            CommutativeDecision<E, R> decision, Origin origin, @Nullable IdempotencyKey key) {
        return switch (decision.decide(clock.instant())) {
            case Verdict.Refuse<E, R>(R reason, String explanation) -> new Rejected<>(reason, explanation);
            case Verdict.Repeat<E, R>(List<E> events) ->
                new Accepted<>(events, store.head().position(), true);
            case Verdict.Accept<E, R>(List<E> nothing)
            when nothing.isEmpty() -> new Accepted<>(nothing, store.head().position(), false);
            case Verdict.Accept<E, R>(List<E> events) -> {
                String metadata = origin.metadataOf(decision);
                List<Event> encoded = events.stream()
                        .map(event -> codec.encode(event).event().withMetadata(metadata))
                        .toList();
                yield switch (store.append(Append.of(encoded).under(key).by(origin.actor()))) {
                    case Appended appended when appended.repeated() -> accepted(appended);
                    case Appended appended -> new Accepted<>(events, appended.last(), false);
                    case Conflict impossible -> throw failedWithoutCondition(impossible);
                    case StoreReplaced impossible -> throw failedWithoutCondition(impossible);
                };
            }
        };
    }

    private static IllegalStateException failedWithoutCondition(AppendResult result) {
        return new IllegalStateException("Unexpected result of an append without a condition: %s".formatted(result));
    }

    private void carryOut(PendingDecision<E, ?> mine) {
        QueryItem item = queues.itemOf(mine);
        QueryItem last = item;
        while (!mine.isOver()) {
            if (item == null) {
                boolean lostRace = run(List.of(mine), false);
                endAtBound(mine);
                if (lostRace) {
                    pause(mine);
                }
            } else if (!queues.await(item, mine)) {
                mine.contended();
            }
            item = mine.contendedItem();
            last = item == null ? last : item;
        }
        if (last != null && mine.isContended()) {
            contention.gaveUp(last);
        }
    }

    private void decideTogether(QueryItem item, List<PendingDecision<E, ?>> waiting) {
        contention.queue(item, waiting.size() + queues.waiting(item));
        List<PendingDecision<E, ?>> decisions = new ArrayList<>(waiting);
        for (PendingDecision<E, ?> decision : waiting) {
            if (decision.isLate()) {
                decision.contended();
            }
        }
        decisions.removeIf(PendingDecision::isOver);
        if (!decisions.isEmpty() && run(decisions, true)) {
            pause(decisions.getFirst());
        }
        decisions.forEach(DecisionLoop::endAtBound);
    }

    private boolean run(List<PendingDecision<E, ?>> decisions, boolean isInQueue) {
        return new DecisionBatch<>(store, codec, cache, stored, queues, contention, clock.instant(), isInQueue)
                .run(decisions);
    }

    /*
     * The first request with the key may commit after the look-up of the key and before the facts are read. The facts
     * then contain the events of that request, and the rules may refuse its repetition. Key and events commit together,
     * so the key is visible now.
     */
    private <R> Outcome<E, R> unlessRepeated(@Nullable IdempotencyKey key, Outcome<E, R> outcome) {
        boolean appended = outcome instanceof Accepted<E, R> accepted
                && !accepted.repeated()
                && !accepted.events().isEmpty();
        Optional<Appended> earlier = appended ? Optional.empty() : appendedUnder(key);
        return earlier.isPresent() ? accepted(earlier.get()) : outcome;
    }

    private Optional<Appended> appendedUnder(@Nullable IdempotencyKey key) {
        return key == null ? Optional.empty() : store.appendedUnder(key);
    }

    /* The events are stored, so a failure to read them must not be reported as a failure that changed nothing. */
    private <R> Accepted<E, R> accepted(Appended earlier) {
        long events = earlier.last().value() - earlier.first().value() + 1;
        try (EventStream stream = store.read(
                Query.all(), ReadOptions.forwards().from(earlier.first()).limit(events))) {
            return new Accepted<>(stream.stream().map(this::decode).toList(), earlier.last(), true);
        } catch (EventStoreException failure) {
            throw new OutcomeUnknownException(
                    "The events of this idempotency key are stored but could not be read; send the request again with the same key",
                    failure,
                    failure.category().orElse(FailureCategory.UNKNOWN));
        }
    }

    /* An event of an earlier decision of this domain is not one to ignore. */
    private E decode(SequencedEvent stored) {
        try {
            return codec.decode(stored.event());
        } catch (IllegalArgumentException unreadable) {
            throw new UnreadableEventException(stored, unreadable);
        }
    }

    private static void endAtBound(PendingDecision<?, ?> decision) {
        if (!decision.isOver()
                && (!decision.mayRetry() || Thread.currentThread().isInterrupted())) {
            decision.contended();
        }
    }

    /*
     * Pauses for a random part of a growing back-off, so that competing callers spread out. The decision ends at a
     * bound or interrupt.
     */
    private void pause(PendingDecision<E, ?> decision) {
        endAtBound(decision);
        if (!decision.isOver()) {
            long pause = bounds.pauseAfter(decision.attempts()).toNanos();
            LockSupport.parkNanos(Math.min(pause, decision.nanosLeft()));
        }
    }
}
