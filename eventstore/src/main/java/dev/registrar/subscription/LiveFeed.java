package dev.registrar.subscription;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.eventstore.TagsAdded;
import dev.registrar.subscription.FeedSignal.Reason;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Delivers events to any number of listeners as they are appended. One log tailer serves them all, so an idle listener
 * costs some memory and no connection to the database. A new feed is open; a closed feed can be opened again.
 */
public final class LiveFeed implements AutoCloseable {
    /*
     * Why a listener receives each event exactly once. Positions have no gaps and become visible in order, so a reader
     * that has read up to a head has seen every event up to it. A listener reads the stored events in stretches, each
     * up to the head of its read. After a short stretch the feed attaches it. At that moment, under the lock, the
     * tailer has delivered exactly the events up to some position, the handover: every later event goes to the mailbox,
     * and no earlier one does. If the handover is after the listener's cursor, the listener reads the events between
     * them from the store before it opens its mailbox. If it is before the cursor, the mailbox skips the events that
     * the listener has received. The mailbox collects from the handover on and only for the time of a short stretch, so
     * a long history never fills it. A tailer without attached listeners ends; the next one starts at the cursor of the
     * listener for which it is started.
     *
     * Why no listener continues on a replaced history. Each read of a listener or of the tailer names the heads of
     * earlier reads, and the store refuses it if it has lost one of them. A listener may have seen a later head than
     * the tailer, or one of another history. So when a listener is attached, the tailer's next read also names the
     * listener's heads. Once one read has found all heads, they belong to the history of that read's head.
     */
    private final EventStore store;
    private final BiFunction<Query, ReadOptions, EventStream> history;
    private final AppendSignals signals;
    private final LiveOptions options;

    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Listener> active = new HashSet<>();
    private final SubscriptionIndex attached = new SubscriptionIndex();
    private @Nullable LogTailer tailer;
    private boolean closed;

    /** Creates an open feed of a store. */
    public LiveFeed(EventStore store, AppendSignals signals, LiveOptions options) {
        this(store, store::read, signals, options);
    }

    /**
     * Creates an open feed of a store whose history a replica reads, too.
     *
     * @param history reads as the store does, up to a head that may be a moment behind, but not behind the position
     *     that the options name; used for the first read of each listener
     */
    public LiveFeed(
            EventStore store,
            BiFunction<Query, ReadOptions, EventStream> history,
            AppendSignals signals,
            LiveOptions options) {
        this.store = store;
        this.history = history;
        this.signals = signals;
        this.options = options;
    }

    /**
     * Listens to the events after a position that match a query. A position alone does not reveal that the store has
     * lost the events up to it and has others in their place.
     *
     * @throws RefusedInputException if the query exceeds a limit, or the position is beyond the last event's
     * @throws OverloadedException if the limit of listeners is reached, or the feed is closed
     */
    public Listener listen(Query query, Position after) {
        return listen(query, ReadCursor.after(after));
    }

    /**
     * Listens to the events after a head that match a query.
     *
     * @throws StoreReplacedException if the store has lost the head
     * @throws RefusedInputException if the query exceeds a limit
     * @throws OverloadedException if the limit of listeners is reached, or the feed is closed
     */
    public Listener listen(Query query, Head after) {
        return listen(query, ReadCursor.after(after));
    }

    private Listener listen(Query query, ReadCursor begins) {
        store.limits().check(query);
        Listener listener = new Listener(this, query, begins, new Mailbox(options.maxWaiting()));
        admit(listener);
        try {
            listener.start();
            return listener;
        } catch (RuntimeException failure) {
            listener.close();
            throw failure;
        }
    }

    private void admit(Listener listener) {
        lock.lock();
        try {
            if (closed) {
                throw new OverloadedException("The service is stopping");
            }
            if (active.size() >= options.maxListeners()) {
                throw new OverloadedException("Too many live listeners (limit %s)".formatted(options.maxListeners()));
            }
            active.add(listener);
        } finally {
            lock.unlock();
        }
    }

    /** The number of listeners that have not ended. */
    public int listeners() {
        lock.lock();
        try {
            return active.size();
        } finally {
            lock.unlock();
        }
    }

    EventStream pastAfter(ReadCursor cursor, Query query, boolean isFirstRead) {
        ReadOptions options = cursor.next().forClient(true);
        return isFirstRead ? history.apply(query, options) : store.read(query, options);
    }

    /**
     * Attaches a listener to the tailer, which offers it every later event.
     *
     * @param covered number of positions in the listener's last stretch
     * @return the handover, which is the last position that the tailer has delivered; null if the listener was not
     *     attached, because it is too far behind or has ended
     */
    @Nullable Position attach(Listener listener, ReadCursor cursor, long covered) {
        lock.lock();
        try {
            if (!active.contains(listener) || covered > options.maxWaiting()) {
                return null;
            }
            LogTailer current = tailer;
            if (current == null) {
                current = new LogTailer(this, cursor, store, signals.register(Query.all()));
                tailer = current;
                current.start();
            }
            ReadCursor delivered = current.cursor();
            if (delivered.last().value() - cursor.last().value() > options.maxWaiting()) {
                return null;
            }
            listener.mailbox().skipTo(cursor.last());
            attached.add(listener);
            current.verify(cursor.heads());
            return delivered.last();
        } finally {
            lock.unlock();
        }
    }

    /** Records that a tailer's read has found heads in the history of another head. */
    void verified(LogTailer by, Set<Head> heads, Head head) {
        lock.lock();
        try {
            by.verified(heads, head);
        } finally {
            lock.unlock();
        }
    }

    /** Delivers an event that a tailer has read; false if the feed has another tailer by now. */
    boolean deliver(LogTailer by, SequencedEvent event) {
        lock.lock();
        try {
            if (tailer != by) {
                return false;
            }
            by.advance(event.position());
            if (event.event().type().equals(TagsAdded.TYPE)) {
                endRetagged(event);
            }
            for (Listener listener : attached.candidates(event.event())) {
                if (listener.query().matches(event.event())) {
                    listener.mailbox().offer(event);
                    if (listener.mailbox().isEnded()) {
                        forget(listener);
                    }
                }
            }
            return tailer == by;
        } finally {
            lock.unlock();
        }
    }

    /* What they have received may lack events. A listener that is not attached yet learns of it in its next read. */
    private void endRetagged(SequencedEvent event) {
        for (Listener listener : attached.all()) {
            if (TagsAdded.concerns(event.event(), listener.query())) {
                listener.mailbox().endAt(event, Reason.STORE_REPLACED);
                if (listener.mailbox().isEnded()) {
                    forget(listener);
                }
            }
        }
    }

    /** Ends the listeners of a tailer that has ended. */
    void ended(LogTailer ended, Reason reason) {
        lock.lock();
        try {
            if (tailer == ended) {
                attached.all().forEach(listener -> end(listener, reason));
                stopReading();
            }
        } finally {
            lock.unlock();
        }
    }

    void end(Listener listener, Reason reason) {
        listener.mailbox().end(reason);
        lock.lock();
        try {
            forget(listener);
        } finally {
            lock.unlock();
        }
    }

    private void forget(Listener listener) {
        active.remove(listener);
        attached.remove(listener);
        if (attached.isEmpty()) {
            stopReading();
        }
    }

    private void stopReading() {
        LogTailer current = tailer;
        tailer = null;
        if (current != null) {
            current.stop();
        }
    }

    /** Opens a closed feed again. */
    public void open() {
        lock.lock();
        try {
            closed = false;
        } finally {
            lock.unlock();
        }
    }

    /** Ends all listeners, and refuses new ones. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            List.copyOf(active).forEach(listener -> end(listener, Reason.CLOSED));
        } finally {
            lock.unlock();
        }
    }
}
