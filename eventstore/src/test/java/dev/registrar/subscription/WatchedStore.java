package dev.registrar.subscription;

import dev.registrar.eventstore.AppendListener;
import dev.registrar.eventstore.AppendSource;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.ForwardingEventStore;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A store that counts its reads, can run an action before each read, and can suppress the signals of appends. */
final class WatchedStore extends ForwardingEventStore implements AppendSource {
    private final AppendSource source;
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger eventsRead = new AtomicInteger();
    private volatile Consumer<Query> beforeRead = query -> {};
    private volatile boolean signalling = true;

    <S extends EventStore & AppendSource> WatchedStore(S store) {
        super(store);
        this.source = store;
    }

    /** Runs an action before each read; the read throws what the action throws. */
    void beforeRead(Consumer<Query> action) {
        beforeRead = action;
    }

    /** Whether listeners are called after appends. */
    void signalling(boolean enabled) {
        signalling = enabled;
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
        return new CountedStream(super.read(query, options));
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
        return source.listen(events -> {
            if (signalling) {
                listener.appended(events);
            }
        });
    }
}
