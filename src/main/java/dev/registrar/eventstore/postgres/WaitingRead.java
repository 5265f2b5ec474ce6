package dev.registrar.eventstore.postgres;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A caller's read, from the moment it asks until it is answered or left to itself. */
final class WaitingRead {
    private final ChunkRequest request;
    private final Thread caller = Thread.currentThread();
    private volatile Stage stage = Stage.QUEUED;
    private @Nullable Chunk page;

    private enum Stage {
        QUEUED,
        LEADS,
        SENT,
        DONE
    }

    WaitingRead(ChunkRequest request) {
        this.request = request;
    }

    ChunkRequest request() {
        return request;
    }

    boolean isQueued() {
        return stage == Stage.QUEUED;
    }

    /** Whether its caller is to take the next group to the database. */
    boolean leads() {
        return stage == Stage.LEADS;
    }

    boolean isDone() {
        return stage == Stage.DONE;
    }

    void lead() {
        become(Stage.LEADS);
    }

    /** Somebody takes it along. */
    void send() {
        stage = Stage.SENT;
    }

    void answer(Chunk answer) {
        page = answer;
        become(Stage.DONE);
    }

    /** It has no answer, and its caller has to ask by itself. */
    void leave() {
        become(Stage.DONE);
    }

    /** The answer; null if there is none. */
    @Nullable Chunk page() {
        return page;
    }

    private void become(Stage next) {
        stage = next;
        if (!caller.equals(Thread.currentThread())) {
            LockSupport.unpark(caller);
        }
    }
}
