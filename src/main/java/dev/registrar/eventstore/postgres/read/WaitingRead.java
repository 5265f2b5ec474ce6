package dev.registrar.eventstore.postgres.read;

import dev.registrar.concurrent.CombiningQueue;
import dev.registrar.concurrent.Deadline;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A caller's small read, until it is answered or its caller has to send it alone. */
final class WaitingRead extends CombiningQueue.Request {
    private final ChunkRequest request;
    private final Duration longestCall;
    private final long endOfWait;
    private @Nullable Chunk chunk;
    private @Nullable Throwable failure;

    /**
     * A read that begins to wait now.
     *
     * @param longestWait for its group to leave
     * @param longestCall that a statement may take
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

    /* A read changes nothing: its caller need not wait for an answer that comes too late. */
    @Override
    protected boolean isAbandonable() {
        return true;
    }

    void answer(Chunk answer) {
        chunk = answer;
        done();
    }

    /** Lets its caller send it alone. */
    void leaveUnanswered() {
        done();
    }

    /* The leader's mistake is thrown to the leader. The others send their reads alone. */
    @Override
    protected void abandon(@Nullable Throwable mistake) {
        failure = leads() ? mistake : null;
    }

    /**
     * The answer, once it is done.
     *
     * @return null if it has none, so that the caller has to send it alone
     */
    @Nullable Chunk chunk() {
        return switch (failure) {
            case null -> chunk;
            case RuntimeException unchecked -> throw unchecked;
            case Error error -> throw error;
            case Throwable other -> throw new IllegalStateException("A read failed unexpectedly", other);
        };
    }
}
