package dev.registrar.eventstore.postgres.read;

import dev.registrar.concurrent.CombiningQueue;
import dev.registrar.concurrent.Deadline;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A caller's small read, until it is answered or its caller must send it alone. */
final class WaitingRead extends CombiningQueue.Request {
    private final ChunkRequest request;
    private final Duration longestCall;
    private final long endOfWait;
    private @Nullable Chunk chunk;
    private @Nullable Throwable failure;

    /**
     * Creates a read, whose wait starts now.
     *
     * @param longestWait the longest wait for its group
     * @param longestCall the longest time of a statement
     */
    WaitingRead(ChunkRequest request, Duration longestWait, Duration longestCall) {
        this.request = request;
        this.longestCall = longestCall;
        this.endOfWait = System.nanoTime() + Deadline.left(longestWait).toNanos();
    }

    ChunkRequest request() {
        return request;
    }

    @Override
    protected long nanosLeft() {
        return isTaken() ? Deadline.left(longestCall).toNanos() : endOfWait - System.nanoTime();
    }

    /* A read has no effects, so its caller need not wait for a late answer. */
    @Override
    protected boolean isAbandonable() {
        return true;
    }

    void answer(Chunk answer) {
        chunk = answer;
        done();
    }

    /** Ends the wait without an answer, so that the caller sends the read alone. */
    void leaveUnanswered() {
        done();
    }

    /* The leader's own caller gets the failure. The other callers send their reads alone. */
    @Override
    protected void abandon(@Nullable Throwable cause) {
        failure = leads() ? cause : null;
    }

    /**
     * The answer of a read that is done.
     *
     * @return null if there is no answer, so that the caller must send the read alone
     */
    @Nullable Chunk chunk() {
        return switch (failure) {
            case null -> chunk;
            case RuntimeException unchecked -> throw unchecked;
            case Error error -> throw error;
            case Throwable other -> throw new IllegalStateException("Unexpected error in a read", other);
        };
    }
}
