package dev.registrar.eventstore;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A decorator of a store. Tests override single methods. It offers neither chains nor listeners. */
public abstract class ForwardingEventStore implements EventStore {
    private final EventStore store;

    protected ForwardingEventStore(EventStore store) {
        this.store = store;
    }

    @Override
    public StoreLimits limits() {
        return store.limits();
    }

    @Override
    public InstantSource clock() {
        return store.clock();
    }

    @Override
    public AppendResult append(Append request) {
        return store.append(request);
    }

    @Override
    public Optional<AppendResult.Appended> appendedUnder(IdempotencyKey key) {
        return store.appendedUnder(key);
    }

    @Override
    public EventStream read(Query query, ReadOptions options) {
        return store.read(query, options);
    }

    @Override
    public Optional<SequencedEvent> last(Query query) {
        return store.last(query);
    }

    @Override
    public boolean exists(Query query) {
        return store.exists(query);
    }

    @Override
    public long count(Query query) {
        return store.count(query);
    }

    @Override
    public Head head() {
        return store.head();
    }

    @Override
    public Projected project(List<? extends StateAt<?>> states, Consumer<List<StateAt<?>>> progress) {
        return store.project(states, progress);
    }
}
