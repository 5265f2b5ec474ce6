package dev.registrar.subscription;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreReplacedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** A handler that is given events until it is closed, throws, or loses its place in the store. */
public final class Subscription implements AutoCloseable {
    private static final int PAGE = 128;

    /** Characters of payloads and metadata in one page, unless it is one event. */
    private static final long MOST_CHARACTERS = 1 << 20;

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration LAST_EVENT = Duration.ofSeconds(10);

    private final EventStore store;
    private final Query query;
    private final BiConsumer<SequencedEvent, Head> handler;
    private final WakeUpSignal bell;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private Runnable onEnd = () -> {};
    /** Of its own thread alone. */
    private ReadCursor place;

    Subscription(
            EventStore store,
            Query query,
            ReadCursor begins,
            BiConsumer<SequencedEvent, Head> handler,
            WakeUpSignal bell) {
        this.store = store;
        this.query = query;
        this.place = begins;
        this.handler = handler;
        this.bell = bell;
        this.thread = Thread.ofVirtual().name("subscription").unstarted(this::run);
    }

    void start(Runnable atItsEnd) {
        onEnd = atItsEnd;
        thread.start();
    }

    /**
     * Completes when the handler has been called for the last time: exceptionally with what it threw, or with a
     * {@link LostCursorException}.
     */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /** Why it ended by itself; empty while it goes on, and after it was closed. */
    public Optional<Throwable> failure() {
        return ended.isCompletedExceptionally() ? Optional.of(ended.exceptionNow()) : Optional.empty();
    }

    private void run() {
        try (bell) {
            follow();
            ended.complete(null);
        } catch (Throwable failure) {
            ended.completeExceptionally(failure);
        } finally {
            onEnd.run();
        }
    }

    private void follow() throws InterruptedException {
        RetryPause pause = RetryPause.FIRST;
        while (!isClosedWithin(Duration.ZERO)) {
            Page page;
            try {
                page = nextPage();
                pause = RetryPause.FIRST;
            } catch (StoreReplacedException replaced) {
                throw new LostCursorException(place.last(), replaced);
            } catch (EventStoreException failure) {
                isClosedWithin(pause.duration());
                pause = pause.next();
                continue;
            }
            for (SequencedEvent event : page.events()) {
                if (isClosedWithin(Duration.ZERO)) {
                    return;
                }
                handler.accept(event, page.head().at(event));
            }
            if (page.isLast()) {
                bell.await(POLL);
            }
        }
    }

    /** Events that were read, and whether they are all that there are up to the head. */
    private record Page(Head head, List<SequencedEvent> events, boolean isLast) {}

    private Page nextPage() {
        try (EventStream stream = store.read(query, place.next().limit(PAGE))) {
            Head head = stream.head();
            if (place.isBeyond(head)) {
                throw new LostCursorException(place.last(), null);
            }
            List<SequencedEvent> events = new ArrayList<>();
            long characters = 0;
            while (characters < MOST_CHARACTERS && stream.hasNext()) {
                SequencedEvent event = stream.next();
                events.add(event);
                characters += event.event().payload().length()
                        + event.event().metadata().length();
            }
            boolean isLast = events.size() < PAGE && characters < MOST_CHARACTERS;
            Position reached = isLast ? head.position() : events.getLast().position();
            place = place.seenAt(head).at(reached);
            return new Page(head, events, isLast);
        }
    }

    private boolean isClosedWithin(Duration time) throws InterruptedException {
        return closing.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Ends it. No call of the handler begins after this; one that is under way is waited for, for 10 s at most, unless
     * it is the one that closes.
     */
    @Override
    public void close() {
        closing.countDown();
        bell.ring();
        if (Thread.currentThread().equals(thread)) {
            return;
        }
        try {
            thread.join(LAST_EVENT);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
