package dev.registrar.decision;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.ChainingEventStore;
import dev.registrar.eventstore.ForwardingEventStore;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.StateAt;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A store that runs an action between a decision's read and its append. */
public final class InterleavingStore extends ForwardingEventStore implements ChainingEventStore {
    private final ChainingEventStore chains;
    private final UnaryOperator<Append> beforeAppend;
    private Runnable afterLookup = () -> {};
    private Runnable afterChain = () -> {};
    private final AtomicInteger appends = new AtomicInteger();
    private final AtomicInteger reads = new AtomicInteger();

    public InterleavingStore(ChainingEventStore store, Runnable beforeAppend) {
        this(store, request -> {
            beforeAppend.run();
            return request;
        });
    }

    /**
     * A store that replaces requests before it appends them.
     *
     * @param interleaving runs before each append and returns the request to append
     */
    public InterleavingStore(ChainingEventStore store, UnaryOperator<Append> interleaving) {
        super(store);
        this.chains = store;
        this.beforeAppend = interleaving;
    }

    /** A store that runs an action after the first look-up of an idempotency key. */
    static InterleavingStore afterLookup(ChainingEventStore store, Runnable interleaving) {
        InterleavingStore interleaved = new InterleavingStore(store, request -> request);
        interleaved.afterLookup = interleaving;
        return interleaved;
    }

    /** Runs an action after each appended chain. */
    InterleavingStore afterChain(Runnable interleaving) {
        afterChain = interleaving;
        return this;
    }

    public int appends() {
        return appends.get();
    }

    /** The number of reads that brought states up to date. */
    int reads() {
        return reads.get();
    }

    @Override
    public List<AppendResult> appendChain(List<Append> requests) {
        appends.incrementAndGet();
        List<AppendResult> results =
                chains.appendChain(requests.stream().map(beforeAppend).toList());
        afterChain.run();
        return results;
    }

    @Override
    public AppendResult append(Append request) {
        appends.incrementAndGet();
        return super.append(beforeAppend.apply(request));
    }

    @Override
    public Optional<AppendResult.Appended> appendedUnder(IdempotencyKey key) {
        Optional<AppendResult.Appended> found = super.appendedUnder(key);
        Runnable interleaving = afterLookup;
        afterLookup = () -> {};
        interleaving.run();
        return found;
    }

    @Override
    public Projected project(List<? extends StateAt<?>> states, Consumer<List<StateAt<?>>> progress) {
        reads.incrementAndGet();
        return super.project(states, progress);
    }
}
