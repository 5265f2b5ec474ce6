package dev.registrar.decision;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.QueryItem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A decision whose caller waits for the result. In a contention queue, another thread may make it. */
final class PendingDecision<E, R> {
    private final Decision<E, R> decision;
    private final long erasures;
    private final List<? extends DecodedFact<E, ?>> facts;
    private final String metadata;
    private final @Nullable Actor actor;
    private final @Nullable IdempotencyKey key;
    private final long end;
    private final int maxAttempts;

    /*
     * Plain fields. Outside a queue, only the caller's thread uses them; in a queue, only the thread of the batch that
     * has taken the decision does. CombiningQueue explains why each thread sees the writes of the thread before it.
     */
    private int attempts;
    private boolean mustReadFacts;
    private @Nullable QueryItem contendedItem;
    private boolean hasLostRace;
    private @Nullable Result<E, R> result;

    /** The result of the decision. */
    sealed interface Result<E, R> {
        /** The decision has an outcome. */
        record Settled<E, R>(Outcome<E, R> outcome) implements Result<E, R> {}

        /** An earlier command with the same idempotency key was accepted. */
        record Repeated<E, R>(Appended earlier) implements Result<E, R> {}

        /** The decision failed, or its outcome is unknown. */
        record Failed<E, R>(RuntimeException reason) implements Result<E, R> {}
    }

    /**
     * Starts a decision. Its time ends at the bound, or at the caller's deadline if that is earlier.
     *
     * @param erasures the number of the last erasure that the store knows; 0 if it cannot erase
     */
    PendingDecision(
            Decision<E, R> decision,
            EventCodec<E> codec,
            long erasures,
            Origin origin,
            @Nullable IdempotencyKey key,
            RetryBounds bounds) {
        this.decision = decision;
        this.erasures = erasures;
        this.facts = decision.facts().stream()
                .map(fact -> new DecodedFact<>(fact, codec, erasures))
                .toList();
        if (facts.isEmpty()) {
            throw new IllegalArgumentException(
                    "A decision must name at least one fact, but %s names none; if it needs no fact, implement %s"
                            .formatted(decision, CommutativeDecision.class.getSimpleName()));
        }
        this.metadata = origin.metadataOf(decision);
        this.actor = origin.actor();
        this.key = key;
        this.end = System.nanoTime() + Deadline.left(bounds.deadline()).toNanos();
        this.maxAttempts = bounds.attempts();
    }

    long erasures() {
        return erasures;
    }

    Decision<E, R> decision() {
        return decision;
    }

    List<? extends DecodedFact<E, ?>> facts() {
        return facts;
    }

    String metadata() {
        return metadata;
    }

    @Nullable Actor actor() {
        return actor;
    }

    @Nullable IdempotencyKey key() {
        return key;
    }

    /** How often the decision lost a race although its facts had been read for it. */
    int attempts() {
        return attempts;
    }

    /** The nanoseconds until the time of the decision is over. */
    long nanosLeft() {
        return end - System.nanoTime();
    }

    /** Whether the time of the decision is over. */
    boolean isLate() {
        return nanosLeft() <= 0;
    }

    /** Whether the decision may be made again. */
    boolean mayRetry() {
        return attempts < maxAttempts && !isLate();
    }

    /** Whether the decision is to be made again, and in the queue of an item. */
    boolean isWaitingFor(QueryItem item) {
        return !isOver() && (contendedItem == null || contendedItem.equals(item));
    }

    /** The query item that the last attempt lost a race for or must wait for; null if there is none. */
    @Nullable QueryItem contendedItem() {
        return contendedItem;
    }

    /**
     * Begins an attempt.
     *
     * @return the query item of the conflict that ended the attempt before; null if there was none
     */
    @Nullable QueryItem begin() {
        QueryItem lost = hasLostRace ? contendedItem : null;
        hasLostRace = false;
        contendedItem = null;
        return lost;
    }

    /**
     * Records a conflict: events that match an item were appended after the decision's state.
     *
     * @param attempted whether the state had been read; a conflict caused by a stale cached state does not count as an
     *     attempt
     */
    void lostRaceFor(QueryItem item, boolean attempted) {
        contendedItem = item;
        hasLostRace = true;
        lostHead(attempted);
    }

    /** Records that the store no longer has the head of the decision's state. */
    void lostHead(boolean attempted) {
        attempts += attempted ? 1 : 0;
        mustReadFacts = true;
    }

    /** Makes the decision wait for an append whose events match an item of its facts. */
    void waitFor(QueryItem item) {
        contendedItem = item;
    }

    /** Whether the facts must be read in all further attempts, because the cached states did not lead to an outcome. */
    boolean mustReadFacts() {
        return mustReadFacts;
    }

    void requireReading() {
        mustReadFacts = true;
    }

    /** The result of a decision that is over. */
    Result<E, R> result() {
        if (result == null) {
            throw new IllegalStateException("The decision has no result yet");
        }
        return result;
    }

    /** Whether the decision is over without a verdict. */
    boolean isContended() {
        return result instanceof Result.Settled<E, R>(Outcome.Contended<E, R> contended);
    }

    boolean isOver() {
        return result != null;
    }

    void settle(Outcome<E, R> outcome) {
        end(new Result.Settled<>(outcome));
    }

    void contended() {
        settle(new Outcome.Contended<>(attempts));
    }

    void repeats(Appended earlier) {
        end(new Result.Repeated<>(earlier));
    }

    void fail(RuntimeException failure) {
        end(new Result.Failed<>(failure));
    }

    private void end(Result<E, R> became) {
        if (!isOver()) {
            result = became;
        }
    }
}
