package dev.registrar.subscription;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Wakes one thread that waits for events. A raised signal stays raised until a thread has waited for it. */
public final class WakeUpSignal implements AutoCloseable {
    private final AtomicBoolean raised = new AtomicBoolean();
    private final Consumer<WakeUpSignal> onClose;
    private volatile @Nullable Thread waiting;

    WakeUpSignal(Consumer<WakeUpSignal> onClose) {
        this.onClose = onClose;
    }

    boolean isRaised() {
        return raised.get();
    }

    /** Wakes the waiting thread, or the next one that waits. Several calls in between wake it once. */
    public void raise() {
        if (!raised.getAndSet(true)) {
            LockSupport.unpark(waiting);
        }
    }

    /**
     * Waits until the signal is raised, and lowers it. One thread at a time may wait.
     *
     * @return false if it was not raised in that time
     * @throws InterruptedException if interrupted; a raised signal then stays raised
     */
    public boolean await(Duration atMost) throws InterruptedException {
        waiting = Thread.currentThread();
        try {
            long end = System.nanoTime() + atMost.toNanos();
            while (!raised.getAndSet(false)) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                LockSupport.parkNanos(this, left);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            return true;
        } finally {
            waiting = null;
        }
    }

    /** Unregisters the signal: appends no longer raise it. */
    @Override
    public void close() {
        onClose.accept(this);
    }
}
