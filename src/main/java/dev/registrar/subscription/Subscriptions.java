package dev.registrar.subscription;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Calls handlers with events: with those that are there already, then with those that come. */
public final class Subscriptions implements AutoCloseable {
    private final EventStore store;
    private final AppendSignals arrivals;
    private final Set<Subscription> open = ConcurrentHashMap.newKeySet();

    public Subscriptions(EventStore store, AppendSignals arrivals) {
        this.store = store;
        this.arrivals = arrivals;
    }

    /**
     * Calls a handler with each event that matches a query, once, in the order of their positions, from those after a
     * position on. One call is made after the other, by a virtual thread of the subscription's own; who is slow is
     * waited for, and no more than 128 events are read ahead. While the store fails, it is tried again.
     *
     * <p>Nothing remembers how far a handler has come. A position alone does not tell after a restart whether the store
     * has lost the events up to it: a handler that is to go on keeps a head, and subscribes after that.
     *
     * @param handler ends the subscription if it throws
     * @throws dev.registrar.eventstore.RefusedInputException if the query exceeds a limit of the store
     */
    public Subscription subscribe(Query query, Position after, Consumer<SequencedEvent> handler) {
        return subscribe(query, ReadCursor.after(after), (event, head) -> handler.accept(event));
    }

    /**
     * The same after a head. If the store has lost it, the subscription ends with a {@link LostCursorException} before
     * the handler is called.
     *
     * @param handler is given each event with the head to keep for going on after it
     */
    public Subscription subscribe(Query query, Head after, BiConsumer<SequencedEvent, Head> handler) {
        return subscribe(query, ReadCursor.after(after), handler);
    }

    private Subscription subscribe(Query query, ReadCursor begins, BiConsumer<SequencedEvent, Head> handler) {
        store.limits().check(query);
        Subscription subscription = new Subscription(store, query, begins, handler, arrivals.bell(query));
        open.add(subscription);
        subscription.start(() -> open.remove(subscription));
        return subscription;
    }

    /** Closes all subscriptions. */
    @Override
    public void close() {
        open.forEach(Subscription::close);
    }
}
