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

/**
 * Calls handlers with stored events, then with new ones, in order, each exactly once during the life of the process.
 */
public final class Subscriptions implements AutoCloseable {
    private final EventStore store;
    private final AppendSignals signals;
    private final Set<Subscription> open = ConcurrentHashMap.newKeySet();

    /** Subscriptions to a store. */
    public Subscriptions(EventStore store, AppendSignals signals) {
        this.store = store;
        this.signals = signals;
    }

    /**
     * Calls a handler with each event after a position that matches a query, exactly once, in the order of the
     * positions. A virtual thread of the subscription makes the calls one after the other. It waits for a slow handler,
     * and reads no more than 128 events ahead. If the store fails, it retries.
     *
     * <p>The subscription stores no checkpoint. After a restart, a position alone does not reveal that the store has
     * lost the events up to it. A handler that must continue therefore stores the head of its last event, and
     * subscribes after that head.
     *
     * @param handler ends the subscription if it throws; the failure is logged
     * @throws dev.registrar.eventstore.RefusedInputException if the query exceeds a limit of the store
     */
    public Subscription subscribe(Query query, Position after, Consumer<SequencedEvent> handler) {
        return subscribe(query, ReadCursor.after(after), (event, head) -> handler.accept(event));
    }

    /**
     * Calls a handler with each event after a head that matches a query. If the store has lost the head, the
     * subscription ends with a {@link LostCursorException} before the handler is called.
     *
     * @param handler receives each event with the head after which to continue; ends the subscription if it throws
     * @throws dev.registrar.eventstore.RefusedInputException if the query exceeds a limit of the store
     */
    public Subscription subscribe(Query query, Head after, BiConsumer<SequencedEvent, Head> handler) {
        return subscribe(query, ReadCursor.after(after), handler);
    }

    private Subscription subscribe(Query query, ReadCursor begin, BiConsumer<SequencedEvent, Head> handler) {
        store.limits().check(query);
        Subscription subscription = new Subscription(store, query, begin, handler, signals.register(query));
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
