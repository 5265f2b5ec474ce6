package dev.registrar.imports;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.ForwardingEventStore;
import dev.registrar.eventstore.Query;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** A store that runs code of a test before existence checks, and before and after appends. */
final class TroubledStore extends ForwardingEventStore {
    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicInteger appends = new AtomicInteger();
    private volatile IntConsumer beforeQuestion = number -> {};
    private volatile IntConsumer beforeAppend = number -> {};
    private volatile IntConsumer afterAppend = number -> {};

    TroubledStore(EventStore store) {
        super(store);
    }

    /** Runs an action before each existence check; checks are numbered from 1. */
    void beforeQuestion(IntConsumer trouble) {
        beforeQuestion = trouble;
    }

    /** Runs an action before each append; appends are numbered from 1. */
    void beforeAppend(IntConsumer trouble) {
        beforeAppend = trouble;
    }

    /** Runs an action after an append is stored and before its caller gets the result. */
    void afterAppend(IntConsumer trouble) {
        afterAppend = trouble;
    }

    @Override
    public AppendResult append(Append request) {
        int number = appends.incrementAndGet();
        beforeAppend.accept(number);
        AppendResult result = super.append(request);
        afterAppend.accept(number);
        return result;
    }

    @Override
    public boolean exists(Query query) {
        beforeQuestion.accept(questions.incrementAndGet());
        return super.exists(query);
    }
}
