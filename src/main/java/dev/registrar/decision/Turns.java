package dev.registrar.decision;

import dev.registrar.eventstore.QueryItem;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lets those who were too late for the same reason go on one after another, first come, first served. */
final class Turns {
    /*
     * When n callers race for one course, each append that succeeds makes the appends of all others fail, which then read
     * and append again: n tries for one success. In a line it is one. This is about speed alone: the condition guards the
     * append as before, and callers of other processes race on. A caller holds one turn at most, so there is no deadlock;
     * two reasons that share a line only wait for each other now and then.
     */
    private static final int LINES = 256;

    private final Semaphore[] lines =
            Stream.generate(() -> new Semaphore(1, true)).limit(LINES).toArray(Semaphore[]::new);

    /** One caller's place: nowhere at first. Closing it lets the next one go on. */
    final class Turn implements AutoCloseable {
        private @Nullable Semaphore line;

        /**
         * Waits in the line of this reason, unless it is this caller's turn there already.
         *
         * @return whether it is this caller's turn now; not so when it took too long, or the thread was interrupted
         */
        boolean await(QueryItem reason, Duration longest) {
            Semaphore next = lines[Math.floorMod(reason.hashCode(), LINES)];
            if (next.equals(line)) {
                return true;
            }
            close();
            try {
                if (next.tryAcquire(longest.toNanos(), TimeUnit.NANOSECONDS)) {
                    line = next;
                    return true;
                }
                return false;
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        @Override
        public void close() {
            if (line != null) {
                line.release();
                line = null;
            }
        }
    }

    Turn none() {
        return new Turn();
    }
}
