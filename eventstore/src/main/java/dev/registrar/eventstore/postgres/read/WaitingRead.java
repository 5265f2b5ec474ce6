package dev.registrar.eventstore.postgres.read;

import dev.registrar.concurrent.CombiningQueue;
import dev.registrar.concurrent.Deadline;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A caller's small read, until it is answered or its caller must send it alone. */
final class WaitingRead extends CombiningQueue.Request {
    private final ChunkRequest request;
    private final Duration longestCall;
    private final @Nullable Long deadline = Deadline.end();
    private final long endOfWait;
    private @Nullable Chunk chunk;
    private @Nullable RuntimeException failure;

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

    /** Runs work for this read alone, on any thread, under its caller's deadline. */
    Chunk withinDeadline(Supplier<Chunk> work) {
        return Deadline.until(deadline, work::get);
    }

    void answer(Chunk answer) {
        chunk = answer;
        done();
    }

    void fail(RuntimeException reason) {
        failure = reason;
        done();
    }

    /** Ends the wait without an answer, so that the caller sends the read alone. */
    void leaveUnanswered() {
        done();
    }

    /**
     * The answer of a read that is done.
     *
     * @return null if there is no answer, so that the caller must send the read alone
     * @throws RuntimeException if the read failed
     */
    @Nullable Chunk chunk() {
        if (failure != null) {
            throw failure;
        }
        return chunk;
    }
}
