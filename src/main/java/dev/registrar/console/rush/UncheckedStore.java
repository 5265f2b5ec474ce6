package dev.registrar.console.rush;

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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A store that appends without the conditions of its callers. It shows what the conditions are for, and is of no other
 * use. The first appends wait for each other: so all of their callers have decided before one of them has appended.
 */
final class UncheckedStore implements EventStore {
    private final EventStore store;
    private final Duration longestWait;
    private final CountDownLatch decided;
    private final CountDownLatch appended;

    /**
     * Decorates a store.
     *
     * @param together number of appends that wait for each other
     * @param longestWait how long an append waits for the others
     */
    UncheckedStore(EventStore store, int together, Duration longestWait) {
        this.store = store;
        this.longestWait = longestWait;
        this.decided = new CountDownLatch(together);
        this.appended = new CountDownLatch(together);
    }

    @Override
    public AppendResult append(Append request) {
        decided.countDown();
        await(decided);
        AppendResult result = store.append(Append.of(request.events()).by(request.actor()));
        appended.countDown();
        return result;
    }

    /** Waits until the first appends are done. */
    void awaitFirst() {
        await(appended);
    }

    private void await(CountDownLatch all) {
        try {
            if (!all.await(longestWait.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new SlowRaceException("The other students did not decide within %s".formatted(longestWait));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The race was stopped", interrupted);
        }
    }

    @Override
    public StoreLimits limits() {
        return store.limits();
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
