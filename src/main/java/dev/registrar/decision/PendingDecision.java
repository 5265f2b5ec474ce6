package dev.registrar.decision;

import dev.registrar.concurrent.CombiningQueue;
import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.QueryItem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A decision that a caller waits for. Another caller's thread may make it, as the leader of a contention queue. */
final class PendingDecision<E, R> extends CombiningQueue.Request {
    private final Decision<E, R> decision;
    private final List<? extends DecodedFact<E, ?>> facts;
    private final String metadata;
    private final @Nullable IdempotencyKey key;
    private final long started = System.nanoTime();
    private final long timeoutNanos;
    private final int maxAttempts;

    /*
     * Plain fields: outside a queue only the caller's thread uses them; in a queue, the leader that has taken the decision.
     * CombiningQueue tells why each sees what the one before it wrote.
     */
    private int attempts;
    private boolean wantsReading;
    private @Nullable QueryItem reason;
    private @Nullable Result<E, R> result;
    private boolean abandoned;
    private @Nullable Throwable mistake;

    /** What became of it. */
    sealed interface Result<E, R> {
        /** It is over. */
        record Settled<E, R>(Outcome<E, R> outcome) implements Result<E, R> {}

        /** An earlier command under its idempotency key was accepted. */
        record Repeated<E, R>(Appended earlier) implements Result<E, R> {}

        /** It failed, or what became of it is unknown. */
        record Failed<E, R>(RuntimeException reason) implements Result<E, R> {}
    }

    /** A decision that begins now. Its time ends at a bound, or at its caller's deadline if that is earlier. */
    PendingDecision(
            Decision<E, R> decision,
            EventCodec<E> codec,
            String metadata,
            @Nullable IdempotencyKey key,
            RetryBounds bounds) {
        this.decision = decision;
        this.facts = decision.facts().stream()
                .map(fact -> new DecodedFact<>(fact, codec))
                .toList();
        if (facts.isEmpty()) {
            throw new IllegalArgumentException(
                    "A decision names one fact or more, but %s names none; if it needs none, it is a %s"
                            .formatted(decision, CommutativeDecision.class.getSimpleName()));
        }
        this.metadata = metadata;
        this.key = key;
        this.timeoutNanos = Deadline.left(bounds.deadline()).toNanos();
        this.maxAttempts = bounds.attempts();
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

    /** How often it lost a race although its facts had been read for it. */
    int attempts() {
        return attempts;
    }

    @Override
    protected long nanosLeft() {
        return timeoutNanos - (System.nanoTime() - started);
    }

    /** Whether its time is over. */
    boolean isLate() {
        return nanosLeft() <= 0;
    }

    /** Whether it may be decided once more. */
    boolean mayGoOn() {
        return attempts < maxAttempts && !isLate();
    }

    /** Lets its caller go on elsewhere. A leader's last step with it. */
    void leaveQueue() {
        done();
    }

    /** The item that it lost a race for, or has to wait for, since it was last decided; null if none. */
    @Nullable QueryItem reason() {
        return reason;
    }

    void forgetReason() {
        reason = null;
    }

    /**
     * Notes that events which match an item were appended after the decision's state.
     *
     * @param attempted whether the state had been read: a conflict caused by a stale cached state is no attempt
     */
    void lostRaceFor(QueryItem item, boolean attempted) {
        reason = item;
        restsOnReplacedStore(attempted);
    }

    /** Notes that the store has lost the head of the decision's state. */
    void restsOnReplacedStore(boolean attempted) {
        attempts += attempted ? 1 : 0;
        wantsReading = true;
    }

    /** Lets it wait for the append that affects an item of its facts. */
    void waitFor(QueryItem item) {
        reason = item;
    }

    /** Whether its facts are to be read from now on, since their cached states did not lead to an end. */
    boolean wantsReading() {
        return wantsReading;
    }

    void wantReading() {
        wantsReading = true;
    }

    /** What became of it, once it is over. */
    Result<E, R> result() {
        if (abandoned) {
            return new Result.Failed<>(new IllegalStateException("A decision failed", mistake));
        }
        if (result == null) {
            throw new IllegalStateException("The decision is not over yet");
        }
        return result;
    }

    boolean isOver() {
        return result != null || abandoned;
    }

    @Override
    protected void abandon(@Nullable Throwable cause) {
        mistake = cause;
        abandoned = true;
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
            done();
        }
    }
}
