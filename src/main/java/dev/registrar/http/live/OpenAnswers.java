package dev.registrar.http.live;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Counts the live answers that are being written. When the service stops, the live feed ends first. Then this class
 * waits until the last lines of the answers are written. Then the server stops and closes the connections.
 */
@Component
final class OpenAnswers implements SmartLifecycle {
    /** Far longer than a client that reads needs for its last line. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    private final Lock lock = new ReentrantLock();
    private final Condition none = lock.newCondition();
    private int open;
    private volatile boolean running;

    /** Counts an answer until {@link #ended}. */
    void begun() {
        lock.lock();
        try {
            open++;
        } finally {
            lock.unlock();
        }
    }

    /** Removes an answer from the count: its connection is closed. */
    void ended() {
        lock.lock();
        try {
            open--;
            if (open == 0) {
                none.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int getPhase() {
        return WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE + 1;
    }

    @Override
    public void start() {
        running = true;
    }

    /** Waits until no answer is open, for up to 5 s. */
    @Override
    public void stop() {
        running = false;
        long left = MAX_WAIT.toNanos();
        lock.lock();
        try {
            while (open > 0 && left > 0) {
                left = none.awaitNanos(left);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
