package dev.registrar.concurrent;

import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** The threads that carry out batches of requests, one for each batch. */
public final class BatchThreads {
    /**
     * Before Java 24 (JEP 491) a caller that waits in a synchronized block keeps its carrier thread. If all carriers
     * are kept, no virtual thread can work for their callers.
     */
    private static final boolean WAITING_KEEPS_CARRIERS = Runtime.version().feature() < 24;

    private BatchThreads() {}

    /** Threads with a name. They inherit nothing from the thread that starts them. */
    public static ThreadFactory named(String name) {
        return (WAITING_KEEPS_CARRIERS ? Thread.ofPlatform().daemon() : Thread.ofVirtual())
                .name(name)
                .inheritInheritableThreadLocals(false)
                .factory();
    }

    /** Logs an error if there is memory for the line. If not, that must not keep a batch from its end. */
    public static void log(Logger log, String line, @Nullable Throwable failure) {
        try {
            log.error(line, failure);
        } catch (Throwable unlogged) {
            // Nothing is left that could report it.
        }
    }
}
