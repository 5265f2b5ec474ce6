package dev.registrar.subscription;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.subscription.FeedSignal.Reason;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Tells any number of listeners of events as they are appended. One reader of the log's end feeds them all, so that a
 * listener that hears nothing costs some memory and no connection to the database.
 */
public final class LiveFeed implements AutoCloseable {
    /*
     * Why a listener misses nothing and hears nothing twice. Positions have no gaps and become visible in order, so
     * whoever has read up to a head has seen all up to it. A listener reads the past in stretches, each up to the head
     * of its reading, until one was short; then it is attached. At that moment, under the lock, the reader of the
     * log's end has handed out exactly the events up to some position, the seam: all later ones will come to the
     * mailbox, and no earlier one will. Where the seam is behind the listener's place, it reads what is between them
     * from the store, up to the seam, before it opens its mailbox; where it is before, the mailbox skips what the
     * listener has heard. The mailbox collects from the seam on and no longer than a short stretch takes, so a long
     * history never fills it. A reader that finds nobody attached ends; the next one starts where the listener is that
     * it is started for.
     *
     * Why no listener goes on behind a history that was replaced. Each read of a listener or of the reader names the heads
     * that it has seen, and the store refuses it if it has lost one. A listener may have seen a later head than the
     * reader, or one of another history. So the reader's next read names the listener's, too, from the moment when the
     * listener is attached; once found together, both are of the history that leads to that read's head.
     */
    private final EventStore store;
    private final AppendSignals arrivals;
    private final LiveSettings settings;

    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Listener> listening = new HashSet<>();
    private final SubscriptionIndex attached = new SubscriptionIndex();
    private @Nullable LogTailer tail;
    private boolean closed;

    public LiveFeed(EventStore store, AppendSignals arrivals, LiveSettings settings) {
        this.store = store;
        this.arrivals = arrivals;
        this.settings = settings;
    }

    /**
     * Listens to the events that match a query, from those after a position on. Whether the store has lost the events
     * up to the position, and has others there, cannot be told from a position alone.
     *
     * @throws RefusedInputException if the query exceeds a limit, or the position is beyond the last event's
     * @throws OverloadedException if as many listen already as may, or the feed is closed
     */
    public Listener listen(Query query, Position after) {
        return listen(query, ReadCursor.after(after));
    }

    /**
     * The same after a head.
     *
     * @throws StoreReplacedException if the store has lost it
     */
    public Listener listen(Query query, Head after) {
        return listen(query, ReadCursor.after(after));
    }

    private Listener listen(Query query, ReadCursor begins) {
        store.limits().check(query);
        Listener listener = new Listener(this, query, begins, new Mailbox(settings.maxWaiting()));
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
            if (listening.size() >= settings.maxListeners()) {
                throw new OverloadedException("Too many live listeners (limit %d)".formatted(settings.maxListeners()));
            }
            listening.add(listener);
        } finally {
            lock.unlock();
        }
    }

    /** How many listen. */
    public int listeners() {
        lock.lock();
        try {
            return listening.size();
        } finally {
            lock.unlock();
        }
    }

    EventStream pastAfter(ReadCursor place, Query query) {
        return store.read(query, place.next().forClient(true));
    }

    /**
     * From now on the listener is offered all later events than the position that it is given.
     *
     * @param covered how long its last stretch was, in positions
     * @return null if it was not attached: it is too far behind, or has ended
     */
    @Nullable Position attach(Listener listener, ReadCursor place, long covered) {
        lock.lock();
        try {
            if (!listening.contains(listener) || covered > settings.maxWaiting()) {
                return null;
            }
            LogTailer reader = tail;
            if (reader == null) {
                reader = new LogTailer(this, place, store, arrivals.bell(Query.all()));
                tail = reader;
                reader.start();
            }
            ReadCursor seen = reader.place();
            if (seen.last().value() - place.last().value() > settings.maxWaiting()) {
                return null;
            }
            listener.mailbox().skipTo(place.last());
            attached.add(listener);
            reader.rely(place.seen());
            return seen.last();
        } finally {
            lock.unlock();
        }
    }

    /** The reader has found heads in the history that leads to another head. */
    void found(LogTailer reader, Set<Head> heads, Head head) {
        lock.lock();
        try {
            reader.found(heads, head);
        } finally {
            lock.unlock();
        }
    }

    /** Hands out what the reader has read; tells whether it is still the one that does. */
    boolean hand(LogTailer reader, SequencedEvent event) {
        lock.lock();
        try {
            if (tail != reader) {
                return false;
            }
            reader.advance(event.position());
            for (Listener listener : attached.maybeConcernedBy(event.event())) {
                if (listener.query().matches(event.event())) {
                    listener.mailbox().offer(event);
                    if (listener.mailbox().isEnded()) {
                        forget(listener);
                    }
                }
            }
            return tail == reader;
        } finally {
            lock.unlock();
        }
    }

    /** The reader goes on no longer: whoever it fed hears of it. */
    void ended(LogTailer reader, Reason reason) {
        lock.lock();
        try {
            if (tail == reader) {
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
        listening.remove(listener);
        attached.remove(listener);
        if (attached.isEmpty()) {
            stopReading();
        }
    }

    private void stopReading() {
        LogTailer reader = tail;
        tail = null;
        if (reader != null) {
            reader.stop();
        }
    }

    /** Lets listen again after it was closed. */
    public void open() {
        lock.lock();
        try {
            closed = false;
        } finally {
            lock.unlock();
        }
    }

    /** Ends all listeners, and lets nobody listen any more. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            List.copyOf(listening).forEach(listener -> end(listener, Reason.CLOSED));
        } finally {
            lock.unlock();
        }
    }
}
