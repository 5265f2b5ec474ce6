package dev.registrar.dataset;

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
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.IntConsumer;

/**
 * Appends a data set to a store in batches. Each batch has an idempotency key, so that an interrupted load continues
 * when it is started again.
 */
public final class DataSetLoader {
    private static final int BATCH = 1_000;

    private final EventStore store;
    private final EventCodec<EnrollmentEvent> codec;

    public DataSetLoader(EventStore store, EventCodec<EnrollmentEvent> codec) {
        this.store = store;
        this.codec = codec;
    }

    /**
     * Loads a data set.
     *
     * @param progress is given the number of events loaded after each batch
     * @throws DataSetConflictException if the store has courses of these ids that are not the data set's
     */
    public void load(DataSet dataSet, IntConsumer progress) {
        int loaded = 0;
        SplittableRandom ids = new SplittableRandom(dataSet.size());
        Iterator<EnrollmentEvent> events = dataSet.events().iterator();
        while (events.hasNext()) {
            List<Event> batch = new ArrayList<>(BATCH);
            while (events.hasNext() && batch.size() < BATCH) {
                batch.add(encode(events.next(), ids));
            }
            String key = "data-set:%s:%d".formatted(KebabCase.of(dataSet), loaded);
            append(Append.of(batch).under(IdempotencyKey.of(key, batch)), loaded == 0);
            loaded += batch.size();
            progress.accept(loaded);
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

    /* The ids have the form of version 4 but come from a fixed seed, so every load makes the same ids. */
    private Event encode(EnrollmentEvent event, SplittableRandom ids) {
        EventCodec.Encoded encoded = codec.encode(event);
        UUID id = new UUID((ids.nextLong() & ~0xf000L) | 0x4000L, (ids.nextLong() & ~(3L << 62)) | (1L << 63));
        return Event.of(id, encoded.type(), encoded.tags(), encoded.payload(), Event.NO_METADATA);
    }
}
