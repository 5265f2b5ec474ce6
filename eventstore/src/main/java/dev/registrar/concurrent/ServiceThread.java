package dev.registrar.concurrent;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A virtual thread that repeats the steps of some background work until it is closed. */
public final class ServiceThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceThread.class);

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

    private final String name;
    private final Work work;
    private final Duration stopTime;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;

    /** What the thread does. */
    public interface Work {
        /**
         * One step, which is repeated. It waits only by {@link ServiceThread#pause}, or in a way that {@link #wake}
         * ends. A failure is logged, and the next step follows after a pause.
         */
        void step() throws InterruptedException;

        /** Ends a wait of the step; called by the thread that closes this one. */
        default void wake() {}

        /** Called by the thread itself after its last step. */
        default void ended() {}
    }

    /**
     * Creates a thread that is not started.
     *
     * @param stopTime how long {@link #close} waits for the step in progress before it interrupts the thread
     */
    public ServiceThread(String name, Duration stopTime, Work work) {
        this.name = name;
        this.work = work;
        this.stopTime = stopTime;
        this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
    }

    /** Starts the thread. Called once. */
    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!isClosing()) {
                try {
                    work.step();
                } catch (Throwable failure) {
                    if (isClosing() && failure instanceof InterruptedException) {
                        return;
                    }
                    LOG.error("Unexpected error in the thread {}", name, failure);
                    pause(PAUSE_AFTER_FAILURE);
                }
            }
        } catch (InterruptedException closed) {
            // close() interrupts a thread that has not ended in time.
        } finally {
            work.ended();
        }
    }

    /** Waits; returns at once when the thread is closed. */
    public void pause(Duration time) throws InterruptedException {
        closing.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    public boolean isClosing() {
        return closing.getCount() == 0;
    }

    /** Whether the thread has started, and has not ended. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    /** Lets the thread complete the step in progress, and begin no other. */
    public void end() {
        closing.countDown();
        work.wake();
    }

    /**
     * Ends the thread, and waits for the step in progress, unless that step itself closes the thread. After the stop
     * time it interrupts the thread.
     */
    @Override
    public void close() {
        end();
        if (thread.getState() == Thread.State.NEW || Thread.currentThread().equals(thread)) {
            return;
        }
        try {
            if (!thread.join(stopTime)) {
                thread.interrupt();
            }
        } catch (InterruptedException interrupted) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
