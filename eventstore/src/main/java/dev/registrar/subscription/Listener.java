package dev.registrar.subscription;

import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.subscription.FeedSignal.Reason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Receives the events that match a query in the order of their positions, each exactly once: first the stored events,
 * then new ones. One thread at a time may call {@link #next}; any thread may close it.
 */
public final class Listener implements AutoCloseable {
    private final LiveFeed feed;
    private final Query query;
    private final Mailbox mailbox;

    private Stage stage = Stage.CATCHING_UP;
    private ReadCursor cursor;
    /** Events up to this position come from the store, and later ones from the mailbox. */
    private Position handover = Position.of(Long.MAX_VALUE);

    private volatile @Nullable Stretch stretch;
    private @Nullable Head began;

    private enum Stage {
        CATCHING_UP,
        READING_TO_HANDOVER,
        LIVE
    }

    /** A read of stored events, and the position after which it begins. */
    private record Stretch(EventStream events, Position after) {}

    Listener(LiveFeed feed, Query query, ReadCursor begins, Mailbox mailbox) {
        this.feed = feed;
        this.query = query;
        this.cursor = begins;
        this.mailbox = mailbox;
    }

    Query query() {
        return query;
    }

    Mailbox mailbox() {
        return mailbox;
    }

    /**
     * The next event, or the end. While the listener reads stored events, it waits only for the store.
     *
     * @param atMost how long to wait for a new event; not negative
     * @throws EventStoreException if the store fails while stored events are read; the call may be repeated
     * @throws InterruptedException if interrupted; no event is lost
     */
    public FeedSignal next(Duration atMost) throws InterruptedException {
        while (stage != Stage.LIVE && !mailbox.isEnded()) {
            SequencedEvent event = nextOf(stretch == null ? resume() : stretch);
            if (event != null) {
                return new FeedSignal.Delivery(event);
            }
        }
        closeStretch();
        return mailbox.next(atMost);
    }

    /**
     * Opens the first read, so that its errors reach the caller of {@link LiveFeed#listen}.
     *
     * @throws StoreReplacedException if the store has lost the head to begin after
     * @throws RefusedInputException if the position to begin after is beyond the last event's
     */
    void start() {
        Stretch stretched = begin();
        Head head = stretched.events().head();
        if (stretched.after().isAfter(head.position())) {
            throw new RefusedInputException("Position %s is beyond the last event's, which is %s"
                    .formatted(stretched.after(), head.position()));
        }
        began = head;
    }

    /** The store's head when the listener began. Every event that it receives belongs to the history of that head. */
    public Head head() {
        Head known = began;
        if (known == null) {
            throw new IllegalStateException("The listener has not begun");
        }
        return known;
    }

    private @Nullable Stretch resume() {
        try {
            Stretch begun = begin();
            if (stage == Stage.READING_TO_HANDOVER
                    && handover.isAfter(begun.events().head().position())) {
                feed.end(this, Reason.STORE_REPLACED);
            }
            return begun;
        } catch (StoreReplacedException replaced) {
            feed.end(this, Reason.STORE_REPLACED);
            return null;
        }
    }

    private Stretch begin() {
        EventStream events = feed.pastAfter(cursor, query, began == null);
        cursor = cursor.verifiedBy(events.head());
        Stretch begun = new Stretch(events, cursor.last());
        stretch = begun;
        return begun;
    }

    private @Nullable SequencedEvent nextOf(@Nullable Stretch current) {
        if (current == null || mailbox.isEnded()) {
            return null;
        }
        try {
            if (current.events().hasNext()) {
                SequencedEvent event = current.events().next();
                if (!event.position().isAfter(handover)) {
                    cursor = cursor.at(event.position());
                    return event;
                }
            }
        } catch (EventStoreException failure) {
            // The next call reads again, from the cursor reached so far.
            closeStretch();
            throw failure;
        } catch (IllegalStateException closed) {
            if (!mailbox.isEnded()) {
                throw closed;
            }
            return null;
        }
        closeStretch();
        finish(current);
        return null;
    }

    private void closeStretch() {
        Stretch open = stretch;
        if (open != null) {
            open.events().close();
            stretch = null;
        }
    }

    private void finish(Stretch read) {
        if (stage == Stage.READING_TO_HANDOVER) {
            stage = Stage.LIVE;
            return;
        }
        Position head = read.events().head().position();
        cursor = cursor.at(head);
        Position handedOverAt =
                feed.attach(this, cursor, head.value() - read.after().value());
        if (handedOverAt != null) {
            handover = handedOverAt;
            stage = handover.isAfter(head) ? Stage.READING_TO_HANDOVER : Stage.LIVE;
        }
    }

    /** Ends the listener: the next call of {@link #next} returns the end. */
    @Override
    public void close() {
        feed.end(this, Reason.CLOSED);
        closeStretch();
    }
}
