package dev.registrar.eventstore.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Breaks connections whose call takes longer than the server may take for it, so that nobody waits for ever on a
 * network that is silent. The driver's own timeout would do the same, but sets a timer for every single read: what that
 * costs, and why there is one watch instead, is in {@code docs/decisions/0009-one-door-to-the-database.md}.
 */
final class CallWatchdog {
    private static final Logger LOG = LoggerFactory.getLogger(CallWatchdog.class);
    private static final Duration INTERVAL = Duration.ofMillis(500);

    /** One for the process: all it does is to look twice a second. */
    static final CallWatchdog SHARED = new CallWatchdog();

    private final Set<Watched> calls = ConcurrentHashMap.newKeySet();

    private CallWatchdog() {
        Thread.ofPlatform().name("event-store-silence-watch").daemon().start(this::look);
    }

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

        /** Whether its connection was broken: whatever it brought, the connection is of no more use. */
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
     * @param longest that it may take in all; it is broken about half a second later
     */
    Watched watch(Connection connection, Duration longest) {
        Watched call = new Watched(connection, System.nanoTime() + longest.toNanos());
        calls.add(call);
        return call;
    }

    private void look() {
        while (true) {
            LockSupport.parkNanos(INTERVAL.toNanos());
            long now = System.nanoTime();
            calls.forEach(call -> call.breakIfSilent(now));
        }
    }
}
