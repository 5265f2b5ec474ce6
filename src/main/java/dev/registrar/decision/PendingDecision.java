package dev.registrar.decision;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.QueryItem;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A decision that a caller waits for. What becomes of it may be found out by another caller's thread. */
final class PendingDecision<E, R> {
    private static final Duration LONGEST = Duration.ofDays(1);

    private final Decision<E, R> decision;
    private final List<? extends DecodedFact<E, ?>> facts;
    private final String metadata;
    private final @Nullable IdempotencyKey key;
    private final Thread caller = Thread.currentThread();
    private final long started = System.nanoTime();
    private final Duration patience;

    private int attempts;
    private boolean wantsReading;
    private volatile boolean leads;
    private volatile boolean standsInLine;
    private @Nullable QueryItem reason;
    private volatile @Nullable Result<E, R> result;

    /** What became of it. */
    sealed interface Result<E, R> {
        /** It is over. */
        record Settled<E, R>(Outcome<E, R> outcome) implements Result<E, R> {}

        /** An earlier command under its idempotency key was accepted. */
        record Repeated<E, R>(Appended earlier) implements Result<E, R> {}

        /** Nobody can tell, for this reason. */
        record Failed<E, R>(RuntimeException reason) implements Result<E, R> {}
    }

    PendingDecision(Decision<E, R> decision, EventCodec<E> codec, String metadata, @Nullable IdempotencyKey key) {
        this.decision = decision;
        this.facts = decision.facts().stream()
                .map(fact -> new DecodedFact<>(fact, codec))
                .toList();
        this.metadata = metadata;
        this.patience = Deadline.left(LONGEST);
        this.key = key;
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

    @Nullable IdempotencyKey key() {
        return key;
    }

    /** How often it was too late although its facts had been read for it. */
    int attempts() {
        return attempts;
    }

    /** What is left until a bound, or until its caller's own deadline if that is earlier. */
    Duration left(RetryBounds bounds) {
        Duration whole = bounds.deadline().compareTo(patience) < 0 ? bounds.deadline() : patience;
        return whole.minusNanos(System.nanoTime() - started);
    }

    /** Whether it may be decided once more. */
    boolean mayGoOn(RetryBounds bounds) {
        return attempts < bounds.attempts() && left(bounds).isPositive();
    }

    /** Whether its caller is to see to it that those who wait with it are decided. */
    boolean leads() {
        return leads;
    }

    void lead(boolean toLead) {
        leads = toLead;
        if (toLead) {
            wake();
        }
    }

    /** Whether it stands in a line, from which only that line's leader or its own caller takes it. */
    boolean standsInLine() {
        return standsInLine;
    }

    void standInLine() {
        standsInLine = true;
    }

    /** Lets its caller go on elsewhere. The last that a leader does with it. */
    void leaveLine() {
        standsInLine = false;
        wake();
    }

    /** What it was too late for, or has to wait for, since it was last decided; null if nothing. */
    @Nullable QueryItem reason() {
        return reason;
    }

    void forgetReason() {
        reason = null;
    }

    /**
     * It was decided on what an item no longer says.
     *
     * @param attempted whether its facts had been read: that what was remembered had become old is no attempt
     */
    void tooLateFor(QueryItem item, boolean attempted) {
        reason = item;
        tooLateForStore(attempted);
    }

    /** The same, if it is the store that is no longer the one that it was decided on. */
    void tooLateForStore(boolean attempted) {
        attempts += attempted ? 1 : 0;
        wantsReading = true;
    }

    /** Lets it wait for those who are about to touch an item of its facts. */
    void waitFor(QueryItem item) {
        reason = item;
    }

    /** Whether its facts are to be read from now on, for what was remembered of them did not lead to an end. */
    boolean wantsReading() {
        return wantsReading;
    }

    void wantReading() {
        wantsReading = true;
    }

    /** What became of it, once it is over. */
    Result<E, R> result() {
        if (result == null) {
            throw new IllegalStateException("The decision is not over yet");
        }
        return result;
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
        if (result == null) {
            result = became;
            wake();
        }
    }

    /* Not its own thread: that would only cut its next pause short. */
    private void wake() {
        if (!caller.equals(Thread.currentThread())) {
            LockSupport.unpark(caller);
        }
    }
}
