package dev.registrar.subscription;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Wakes one thread that waits for events. A ring while nobody waits is kept, and several are one. */
public final class WakeUpSignal implements AutoCloseable {
    private final AtomicBoolean rung = new AtomicBoolean();
    private final Consumer<WakeUpSignal> onClose;
    private volatile @Nullable Thread waiting;

    WakeUpSignal(Consumer<WakeUpSignal> onClose) {
        this.onClose = onClose;
    }

    boolean isRung() {
        return rung.get();
    }

    public void ring() {
        if (!rung.getAndSet(true)) {
            LockSupport.unpark(waiting);
        }
    }

    /**
     * Waits for a ring since the last one that was waited for. One thread at a time may.
     *
     * @return false if there was none in that time
     * @throws InterruptedException if interrupted; a ring is kept then
     */
    public boolean await(Duration atMost) throws InterruptedException {
        waiting = Thread.currentThread();
        try {
            long end = System.nanoTime() + atMost.toNanos();
            while (!rung.getAndSet(false)) {
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

    /** Takes it down. */
    @Override
    public void close() {
        onClose.accept(this);
    }
}
