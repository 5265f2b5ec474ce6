package dev.registrar.subscription;

import dev.registrar.concurrent.BackOff;
import dev.registrar.concurrent.ServiceThread;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.subscription.AppendSignals.WakeUpSignal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls a handler with events until the subscription is closed, the handler throws, or the store loses the events up to
 * the cursor.
 */
public final class Subscription implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);

    /** Number of events in one read. */
    private static final int CHUNK = 128;

    /** Maximum number of characters in one read, as {@link LogBatch} counts them. */
    private static final long MOST_CHARACTERS = 1 << 20;

    private static final BackOff BACK_OFF = BackOff.doubling(Duration.ofMillis(100), Duration.ofSeconds(5));
    /** Maximum time between two reads without a wake-up. */
    private static final Duration POLL = Duration.ofSeconds(1);

    private static final Duration LONGEST_LAST_CALL = Duration.ofSeconds(10);

    private final EventStore store;
    private final Query query;
    private final BiConsumer<SequencedEvent, Head> handler;
    private final WakeUpSignal signal;
    private final ServiceThread thread = new ServiceThread("subscription", LONGEST_LAST_CALL, new Following());
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private Runnable onEnd = () -> {};
    /** Used only by the subscription's own thread, as {@link #handled} is. */
    private ReadCursor cursor;

    /** Consecutive failures of reads. */
    private int failures;

    /** The position of the event that was last passed to the handler. */
    private Position handled = Position.START;

    Subscription(
            EventStore store,
            Query query,
            ReadCursor begin,
            BiConsumer<SequencedEvent, Head> handler,
            WakeUpSignal signal) {
        this.store = store;
        this.query = query;
        this.cursor = begin;
        this.handler = handler;
        this.signal = signal;
    }

    void start(Runnable atItsEnd) {
        onEnd = atItsEnd;
        thread.start();
    }

    /**
     * Completes after the last call of the handler: normally after {@link #close}, otherwise exceptionally with the
     * handler's exception or a {@link LostCursorException}.
     */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /** The failure that ended the subscription; empty while it runs, and after it was closed. */
    public Optional<Throwable> failure() {
        return ended.isCompletedExceptionally() ? Optional.of(ended.exceptionNow()) : Optional.empty();
    }

    private final class Following implements ServiceThread.Work {
        @Override
        public void step() throws InterruptedException {
            try {
                followOn();
            } catch (LostCursorException lost) {
                LOG.warn("A subscription has ended: {}", lost.getMessage());
                endBecauseOf(lost);
            } catch (Throwable failure) {
                if (thread.isClosing() && failure instanceof InterruptedException closed) {
                    throw closed;
                }
                endBecauseOf(failure);
                LOG.error(
                        "A subscription has ended at position {}: its handler or a read has failed", handled, failure);
            }
        }

        private void endBecauseOf(Throwable failure) {
            ended.completeExceptionally(failure);
            thread.end();
        }

        @Override
        public void wake() {
            signal.raise();
        }

        @Override
        public void ended() {
            signal.close();
            ended.complete(null);
            onEnd.run();
        }
    }

    private void followOn() throws InterruptedException {
        LogBatch chunk;
        try {
            chunk = nextChunk();
            failures = 0;
        } catch (StoreReplacedException replaced) {
            throw new LostCursorException(cursor.last(), replaced);
        } catch (EventStoreException failure) {
            if (failures == 0) {
                LOG.warn("A subscription cannot read the store and tries again: {}", failure.toString());
            }
            thread.pause(BACK_OFF.after(++failures));
            return;
        }
        for (SequencedEvent event : chunk.events()) {
            if (thread.isClosing()) {
                return;
            }
            handled = event.position();
            handler.accept(event, chunk.end().at(event));
        }
        if (chunk.isLast()) {
            signal.await(POLL);
        }
    }

    private LogBatch nextChunk() {
        try (EventStream stream = store.read(query, cursor.next().limit(CHUNK))) {
            Head head = stream.head();
            if (cursor.isBeyond(head)) {
                throw new LostCursorException(cursor.last(), null);
            }
            LogBatch chunk = LogBatch.of(stream, CHUNK, MOST_CHARACTERS);
            cursor = cursor.verifiedBy(head).at(chunk.end().position());
            return chunk;
        }
    }

    /**
     * Ends the subscription. No call of the handler begins after this. Waits up to 10 s for a call in progress, unless
     * that call itself closes the subscription; then it interrupts the call.
     */
    @Override
    public void close() {
        thread.close();
    }
}
