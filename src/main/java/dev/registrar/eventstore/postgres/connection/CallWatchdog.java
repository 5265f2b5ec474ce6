package dev.registrar.eventstore.postgres.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Breaks connections whose call takes longer than the server may take for it, so that no caller waits for ever on a
 * silent network. The driver's own time-out would do the same, but sets a timer for every single read:
 * {@code docs/decisions/0009} has the measurement. The watchdog's thread starts with the first call and ends when the
 * watchdog is closed.
 */
final class CallWatchdog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CallWatchdog.class);
    private static final Duration INTERVAL = Duration.ofMillis(500);

    private final Set<Watched> calls = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Thread thread;
    private volatile boolean closed;

    private enum State {
        RUNNING,
        OVER,
        BROKEN
    }

    /** A call that is under way on a connection; it is over when it is closed. */
    final class Watched implements AutoCloseable {
        private final Connection connection;
        private final long end;
        private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);

        private Watched(Connection connection, long end) {
            this.connection = connection;
            this.end = end;
        }

        /** Whether the watchdog broke its connection: then the connection is of no more use, whatever it returned. */
        boolean isBroken() {
            return state.get() == State.BROKEN;
        }

        private void breakIfSilent(long now) {
            if (now - end > 0 && state.compareAndSet(State.RUNNING, State.BROKEN)) {
                calls.remove(this);
                LOG.warn("The event store's database has been silent for too long: a connection is given up");
                try {
                    // On a thread of its own, since even closing may have to send something.
                    connection.abort(Thread::startVirtualThread);
                } catch (SQLException | RuntimeException broken) {
                    LOG.debug("The connection was broken already", broken);
                }
            }
        }

        @Override
        public void close() {
            state.compareAndSet(State.RUNNING, State.OVER);
            calls.remove(this);
        }
    }

    /**
     * Begins to watch a call.
     *
     * @param longest that it may take in all; its connection is broken about half a second later
     */
    Watched watch(Connection connection, Duration longest) {
        Watched call = new Watched(connection, System.nanoTime() + longest.toNanos());
        calls.add(call);
        if (thread == null) {
            start();
        }
        return call;
    }

    private synchronized void start() {
        if (thread == null && !closed) {
            thread = Thread.ofPlatform()
                    .name("event-store-call-watchdog")
                    .daemon()
                    .start(this::look);
        }
    }

    private void look() {
        while (!closed) {
            LockSupport.parkNanos(INTERVAL.toNanos());
            long now = System.nanoTime();
            calls.forEach(call -> call.breakIfSilent(now));
        }
    }

    /** Ends the watchdog's thread; calls are no longer watched. */
    @Override
    public synchronized void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
