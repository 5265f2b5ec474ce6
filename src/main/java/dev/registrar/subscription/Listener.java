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
 * Hears the matching events in the order of their positions, each once: those that are there already, then those that
 * come. One thread at a time may ask it for what is next; any may close it.
 */
public final class Listener implements AutoCloseable {
    private final LiveFeed feed;
    private final Query query;
    private final Mailbox mailbox;

    private Stage stage = Stage.CATCHING_UP;
    private ReadCursor place;
    /** Up to here events come from the store, and behind it from the mailbox. */
    private Position seam = Position.of(Long.MAX_VALUE);

    private volatile @Nullable Stretch stretch;
    private @Nullable Head began;

    private enum Stage {
        CATCHING_UP,
        CLOSING_THE_GAP,
        LIVE
    }

    /** A part of the past that is being read, and what it is behind. */
    private record Stretch(EventStream events, Position after) {}

    Listener(LiveFeed feed, Query query, ReadCursor begins, Mailbox mailbox) {
        this.feed = feed;
        this.query = query;
        this.place = begins;
        this.mailbox = mailbox;
    }

    Query query() {
        return query;
    }

    Mailbox mailbox() {
        return mailbox;
    }

    /**
     * What comes next. While it catches up it does not wait, but for the store.
     *
     * @param atMost how long to wait
     * @throws EventStoreException if the store fails while it catches up; it may be asked again
     * @throws InterruptedException if interrupted; nothing is lost
     */
    public FeedSignal next(Duration atMost) throws InterruptedException {
        while (stage != Stage.LIVE && !mailbox.isEnded()) {
            SequencedEvent event = nextOf(stretch == null ? goOn() : stretch);
            if (event != null) {
                return new FeedSignal.News(event);
            }
        }
        leave();
        return mailbox.next(atMost);
    }

    /**
     * Looks for the first time, so that what is wrong shows at once.
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

    /** The store's head when the listener began. All events that it hears are of the history that leads there. */
    public Head head() {
        Head known = began;
        if (known == null) {
            throw new IllegalStateException("The listener has not begun");
        }
        return known;
    }

    private @Nullable Stretch goOn() {
        try {
            Stretch begun = begin();
            if (stage == Stage.CLOSING_THE_GAP
                    && seam.isAfter(begun.events().head().position())) {
                feed.end(this, Reason.STORE_REPLACED);
            }
            return begun;
        } catch (StoreReplacedException replaced) {
            feed.end(this, Reason.STORE_REPLACED);
            return null;
        }
    }

    private Stretch begin() {
        EventStream events = feed.pastAfter(place, query);
        place = place.seenAt(events.head());
        Stretch begun = new Stretch(events, place.last());
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
                if (!event.position().isAfter(seam)) {
                    place = place.at(event.position());
                    return event;
                }
            }
        } catch (EventStoreException failure) {
            // What follows is read anew, from the place that was reached.
            leave();
            throw failure;
        } catch (IllegalStateException closed) {
            if (!mailbox.isEnded()) {
                throw closed;
            }
            return null;
        }
        leave();
        readToItsEnd(current);
        return null;
    }

    private void leave() {
        Stretch past = stretch;
        if (past != null) {
            past.events().close();
            stretch = null;
        }
    }

    private void readToItsEnd(Stretch past) {
        if (stage == Stage.CLOSING_THE_GAP) {
            stage = Stage.LIVE;
            return;
        }
        Position head = past.events().head().position();
        place = place.at(head);
        Position attachedAt =
                feed.attach(this, place, head.value() - past.after().value());
        if (attachedAt != null) {
            seam = attachedAt;
            stage = seam.isAfter(head) ? Stage.CLOSING_THE_GAP : Stage.LIVE;
        }
    }

    @Override
    public void close() {
        feed.end(this, Reason.CLOSED);
        leave();
    }
}
