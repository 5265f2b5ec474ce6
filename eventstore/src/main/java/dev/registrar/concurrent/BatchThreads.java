package dev.registrar.concurrent;

import java.util.concurrent.ThreadFactory;

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
}
