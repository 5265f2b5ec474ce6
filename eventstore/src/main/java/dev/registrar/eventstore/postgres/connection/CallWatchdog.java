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
 * Aborts connections whose call exceeds its maximum time, so that no caller waits forever on a silent network. The
 * driver's own time-out would do the same, but sets a timer for every single read; {@code docs/decisions/0009} has the
 * measurement. The watchdog's thread starts with the first call and ends when the watchdog is closed.
 */
final class CallWatchdog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CallWatchdog.class);
    private static final Duration INTERVAL = Duration.ofMillis(500);

    private final Set<Watched> calls = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Thread thread;
    private volatile boolean closed;

    private enum State {
        RUNNING,
        ENDED,
        ABORTED
    }

    /** A running call on a connection. Closing it ends the call. */
    final class Watched implements AutoCloseable {
        private final Connection connection;
        private final long end;
        private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);

        private Watched(Connection connection, long end) {
            this.connection = connection;
            this.end = end;
        }

        /**
         * Whether the watchdog has aborted the connection. If so, the connection is unusable, whatever the call
         * returned.
         */
        boolean isAborted() {
            return state.get() == State.ABORTED;
        }

        private void abortIfOverdue(long now) {
            if (now - end > 0 && state.compareAndSet(State.RUNNING, State.ABORTED)) {
                calls.remove(this);
                LOG.warn("The event store's database did not answer in time; aborting a connection");
                try {
                    // On a thread of its own, because even an abort may have to send data.
                    connection.abort(Thread::startVirtualThread);
                } catch (SQLException | RuntimeException broken) {
                    LOG.debug("The connection was already broken", broken);
                }
            }
        }

        @Override
        public void close() {
            state.compareAndSet(State.RUNNING, State.ENDED);
            calls.remove(this);
        }
    }

    /**
     * Starts to watch a call.
     *
     * @param longest the longest time of the call; its connection is aborted up to half a second later
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
                    .start(this::checkCalls);
        }
    }

    private void checkCalls() {
        while (!closed) {
            LockSupport.parkNanos(INTERVAL.toNanos());
            long now = System.nanoTime();
            calls.forEach(call -> call.abortIfOverdue(now));
        }
    }

    /** Stops the watchdog's thread. Calls are no longer watched. */
    @Override
    public synchronized void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
