package dev.registrar.projection;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendListener;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StateAt;
import dev.registrar.eventstore.StoreLimits;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A store of which is seen how much is read, and in which something happens before each read. */
final class WatchedStore implements EventStore {
    private final EventStore store;
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger eventsRead = new AtomicInteger();
    private volatile Consumer<Query> beforeRead = query -> {};
    private volatile boolean telling = true;

    WatchedStore(EventStore store) {
        this.store = store;
    }

    /** Lets something happen before each read. */
    void beforeRead(Consumer<Query> trouble) {
        beforeRead = trouble;
    }

    /** Whether those who listen are told of appends. */
    void telling(boolean told) {
        telling = told;
    }

    int reads() {
        return reads.get();
    }

    int eventsRead() {
        return eventsRead.get();
    }

    @Override
    public EventStream read(Query query, ReadOptions options) {
        beforeRead.accept(query);
        reads.incrementAndGet();
        return new CountedStream(store.read(query, options));
    }

    private final class CountedStream implements EventStream {
        private final EventStream events;

        private CountedStream(EventStream events) {
            this.events = events;
        }

        @Override
        public Head head() {
            return events.head();
        }

        @Override
        public boolean hasNext() {
            return events.hasNext();
        }

        @Override
        public SequencedEvent next() {
            eventsRead.incrementAndGet();
            return events.next();
        }

        @Override
        public void close() {
            events.close();
        }
    }

    @Override
    public Runnable listen(AppendListener listener) {
        return store.listen(events -> {
            if (telling) {
                listener.appended(events);
            }
        });
    }

    @Override
    public StoreLimits limits() {
        return store.limits();
    }

    @Override
    public AppendResult append(Append request) {
        return store.append(request);
    }

    @Override
    public List<AppendResult> appendChain(List<Append> requests) {
        return store.appendChain(requests);
    }

    @Override
    public Optional<AppendResult.Appended> appendedUnder(IdempotencyKey key) {
        return store.appendedUnder(key);
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
    public Projected project(List<? extends StateAt<?>> states) {
        return store.project(states);
    }
}
