package dev.registrar.imports;

import dev.registrar.eventstore.Append;
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
import java.util.function.IntConsumer;

/** A store in which something happens when it is asked whether events exist, and around its appends. */
final class TroubledStore implements EventStore {
    private final EventStore store;
    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicInteger appends = new AtomicInteger();
    private volatile IntConsumer beforeQuestion = number -> {};
    private volatile IntConsumer beforeAppend = number -> {};
    private volatile IntConsumer afterAppend = number -> {};

    TroubledStore(EventStore store) {
        this.store = store;
    }

    /** Lets something happen before each question, which are counted from 1. */
    void beforeQuestion(IntConsumer trouble) {
        beforeQuestion = trouble;
    }

    /** Lets something happen before each append, which are counted from 1. */
    void beforeAppend(IntConsumer trouble) {
        beforeAppend = trouble;
    }

    /** Lets something happen when an append is stored and before anybody is told. */
    void afterAppend(IntConsumer trouble) {
        afterAppend = trouble;
    }

    @Override
    public StoreLimits limits() {
        return store.limits();
    }

    @Override
    public AppendResult append(Append request) {
        int number = appends.incrementAndGet();
        beforeAppend.accept(number);
        AppendResult result = store.append(request);
        afterAppend.accept(number);
        return result;
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
    public EventStream read(Query query, ReadOptions options) {
        return store.read(query, options);
    }

    @Override
    public Optional<SequencedEvent> last(Query query) {
        return store.last(query);
    }

    @Override
    public boolean exists(Query query) {
        beforeQuestion.accept(questions.incrementAndGet());
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
