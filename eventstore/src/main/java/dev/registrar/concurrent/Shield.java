package dev.registrar.concurrent;

import dev.registrar.concurrent.Deadline.Work;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Runs a leader's work for several callers so that an interrupt of the leader's own thread does not end it. */
public final class Shield {
    /*
     * An interrupt closes the socket that a virtual thread waits for, and ends each interruptible wait. The connection of
     * a whole group, and the outcomes of all its callers, would be lost because one caller was cancelled. So the work
     * runs on a thread of its own, which no caller knows, and without the leader's deadline. A virtual thread costs a few
     * microseconds for each group. Before Java 24 (JEP 491) a caller that waits in a synchronized block keeps its carrier
     * thread; if all callers of a group do, no carrier is left for a virtual thread, so the work has a platform thread.
     */
    private static final boolean WAITING_KEEPS_CARRIERS = Runtime.version().feature() < 24;

    private Shield() {}

    /** Runs work on another thread and waits for its end. An interrupt of the current thread is kept until then. */
    @SuppressWarnings("unchecked") // the work throws X or unchecked exceptions
    public static <T extends @Nullable Object, X extends Exception> T call(Work<T, X> work) throws X {
        FutureTask<T> task = new FutureTask<>(work::run);
        Thread.Builder worker = WAITING_KEEPS_CARRIERS ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
        worker.name("shielded").start(task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException kept) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof Error error) {
                throw error;
            }
            throw (X) failure.getCause();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
