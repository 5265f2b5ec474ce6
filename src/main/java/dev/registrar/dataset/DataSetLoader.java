package dev.registrar.dataset;

import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.concurrent.CpuTask;
import dev.registrar.concurrent.TooManyTasksException;
import dev.registrar.decision.EventCodec;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.StoreUnavailableException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/**
 * Appends a data set to a store in batches. While a batch is appended, a worker makes the next one. Each batch has an
 * idempotency key, so that an interrupted load continues when it is started again.
 */
public final class DataSetLoader {
    private static final int BATCH = 1_000;

    private final EventStore store;
    private final EventCodec<EnrollmentEvent> codec;
    private final CpuExecutor executor;

    public DataSetLoader(EventStore store, EventCodec<EnrollmentEvent> codec, CpuExecutor executor) {
        this.store = store;
        this.codec = codec;
        this.executor = executor;
    }

    /**
     * Loads a data set.
     *
     * @param progress is given the number of events loaded after each batch
     * @throws TooManyTasksException if too many tasks wait for the executor
     * @throws DataSetConflictException if the store has courses of these ids that are not the data set's
     */
    public void load(DataSet dataSet, IntConsumer progress) {
        NextBatch nextBatch = new NextBatch(dataSet.events().iterator(), new SplittableRandom(dataSet.size()), codec);
        int loaded = 0;
        Future<List<Event>> next = executor.submit(nextBatch);
        try {
            for (List<Event> batch = next.get(); !batch.isEmpty(); batch = next.get()) {
                next = executor.submit(nextBatch);
                String key = "data-set:%s:%d".formatted(KebabCase.of(dataSet), loaded);
                append(Append.of(batch).under(IdempotencyKey.of(key, batch)), loaded == 0);
                loaded += batch.size();
                progress.accept(loaded);
            }
        } catch (ExecutionException bug) {
            throw new IllegalStateException("A batch of '%s' could not be made".formatted(dataSet), bug.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("Interrupted while loading '%s'".formatted(dataSet));
        } finally {
            next.cancel(true);
        }
    }

    /**
     * Makes the next batch; the batch after the last one is empty. It runs once at a time: each run follows the result
     * of the run before.
     */
    private record NextBatch(Iterator<EnrollmentEvent> events, SplittableRandom ids, EventCodec<EnrollmentEvent> codec)
            implements CpuTask<List<Event>, RuntimeException> {

        @Override
        public List<Event> run() {
            List<Event> batch = new ArrayList<>(BATCH);
            while (events.hasNext() && batch.size() < BATCH) {
                batch.add(encode(events.next()));
            }
            return batch;
        }

        /* The ids have the form of version 4 but come from a fixed seed, so every load makes the same ids. */
        private Event encode(EnrollmentEvent event) {
            EventCodec.Encoded encoded = codec.encode(event);
            UUID id = new UUID((ids.nextLong() & ~0xf000L) | 0x4000L, (ids.nextLong() & ~(3L << 62)) | (1L << 63));
            return Event.of(id, encoded.type(), encoded.tags(), encoded.payload(), Event.NO_METADATA);
        }
    }

    private void append(Append batch, boolean first) {
        Query courses = Query.of(
                QueryItem.types("CourseDefined").tagged(DataSet.course(1).tag().value()));
        switch (store.append(first ? batch.onCondition(AppendCondition.failIfEventsMatch(courses)) : batch)) {
            case Appended appended -> {}
            case Conflict conflict ->
                throw new DataSetConflictException(
                        "The store already has '%s', at position %s: load the data set into an empty store"
                                .formatted(DataSet.course(1), conflict.position()));
            case StoreReplaced replaced ->
                throw new IllegalStateException("The store reported a lost history, but the append has no basis");
        }
    }
}
