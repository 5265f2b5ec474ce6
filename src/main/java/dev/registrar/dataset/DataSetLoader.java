package dev.registrar.dataset;

import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.concurrent.Deadline;
import dev.registrar.concurrent.TooManyTasksException;
import dev.registrar.decision.EventCodec;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreUnavailableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/**
 * Appends a data set to a store in batches. While one batch is appended, a worker creates the next. Each batch has an
 * idempotency key, so that an interrupted load continues when it is restarted.
 */
public final class DataSetLoader {
    private static final int BATCH = 1_000;
    private static final Actor ACTOR = Actor.ofApplication("data-set");

    private static final Query FIRST_COURSE = Query.of(
            QueryItem.types("CourseDefined").tagged(DataSet.course(1).tag().value()));

    private final EventStore store;
    private final EventCodec<EnrollmentEvent> codec;
    private final CpuExecutor executor;

    public DataSetLoader(EventStore store, EventCodec<EnrollmentEvent> codec, CpuExecutor executor) {
        this.store = store;
        this.codec = codec;
        this.executor = executor;
    }

    /**
     * How many events of a data set the store has. They are the first ones, since batches are appended in order.
     *
     * @throws DataSetConflictException if the store has other courses with the data set's ids
     */
    int loaded(DataSet dataSet) {
        Optional<SequencedEvent> course = store.last(FIRST_COURSE);
        if (course.isEmpty()) {
            return 0;
        }
        List<Event> firsts = firstOfEachBatch(dataSet);
        if (!firsts.getFirst().id().equals(course.get().event().id())) {
            throw conflict(dataSet, course.get());
        }
        int stored = 1;
        int end = firsts.size();
        while (stored < end) {
            int middle = (stored + end) >>> 1;
            if (isStored(firsts.get(middle))) {
                stored = middle + 1;
            } else {
                end = middle;
            }
        }
        return Math.min(stored * BATCH, dataSet.size());
    }

    private List<Event> firstOfEachBatch(DataSet dataSet) {
        List<Event> firsts = new ArrayList<>();
        Ids ids = new Ids(dataSet);
        Iterator<EnrollmentEvent> events = dataSet.events().iterator();
        for (int number = 0; events.hasNext(); number++) {
            EnrollmentEvent event = events.next();
            UUID id = ids.next();
            if (number % BATCH == 0) {
                firsts.add(encode(codec, id, event));
            }
        }
        return firsts;
    }

    private boolean isStored(Event event) {
        Query same = Query.of(QueryItem.of(List.of(event.type()), event.tags()));
        try (EventStream found = store.read(same)) {
            return found.stream().anyMatch(stored -> stored.event().id().equals(event.id()));
        }
    }

    private static DataSetConflictException conflict(DataSet dataSet, SequencedEvent course) {
        String whose = Arrays.stream(DataSet.values())
                .filter(other -> new Ids(other).next().equals(course.event().id()))
                .map(other -> " of the data set '%s'".formatted(KebabCase.of(other)))
                .findAny()
                .orElse("");
        return new DataSetConflictException(
                "The store already has the course '%s'%s, at position %s: load the data set '%s' into an empty store"
                        .formatted(DataSet.course(1), whose, course.position(), KebabCase.of(dataSet)));
    }

    /**
     * Loads those events of a data set that the store does not have yet.
     *
     * @param progress receives the number of loaded events after each batch
     * @throws TooManyTasksException if too many tasks wait for the executor
     * @throws DataSetConflictException if the store has other courses with the data set's ids
     */
    public void load(DataSet dataSet, IntConsumer progress) {
        int loaded = loaded(dataSet);
        NextBatch nextBatch = new NextBatch(dataSet, codec, loaded);
        Future<List<Event>> next = executor.submit(nextBatch);
        try {
            for (List<Event> batch = next.get(); !batch.isEmpty(); batch = next.get()) {
                next = executor.submit(nextBatch);
                append(dataSet, batch, loaded);
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

    private void append(DataSet dataSet, List<Event> events, int before) {
        String key = "data-set:%s:%s".formatted(KebabCase.of(dataSet), before);
        Append batch = Append.of(events).under(IdempotencyKey.of(key, events)).by(ACTOR);
        switch (store.append(
                before == 0 ? batch.onCondition(AppendCondition.failIfEventsMatch(FIRST_COURSE)) : batch)) {
            case Appended appended -> {}
            case Conflict others ->
                throw conflict(dataSet, store.last(FIRST_COURSE).orElseThrow());
            case StoreReplaced replaced ->
                throw new IllegalStateException("The store reported a lost history, but the append has no basis");
        }
    }

    private static Event encode(EventCodec<EnrollmentEvent> codec, UUID id, EnrollmentEvent event) {
        EventCodec.Encoded encoded = codec.encode(event);
        return Event.of(id, encoded.type(), encoded.tags(), encoded.payload(), Event.NO_METADATA);
    }

    /** The ids of a data set's events. They have the form of version 4 but come from a fixed seed. */
    private static final class Ids {
        private final SplittableRandom bits;

        Ids(DataSet dataSet) {
            bits = new SplittableRandom(dataSet.size());
        }

        UUID next() {
            return new UUID((bits.nextLong() & ~0xf000L) | 0x4000L, (bits.nextLong() & ~(3L << 62)) | (1L << 63));
        }
    }

    /**
     * Creates the next batch; the batch after the last one is empty. Never runs concurrently: each run follows the
     * result of the previous run.
     */
    private static final class NextBatch implements Deadline.Work<List<Event>, RuntimeException> {
        private final EventCodec<EnrollmentEvent> codec;
        private final Iterator<EnrollmentEvent> events;
        private final Ids ids;
        private int toSkip;

        NextBatch(DataSet dataSet, EventCodec<EnrollmentEvent> codec, int toSkip) {
            this.codec = codec;
            this.events = dataSet.events().iterator();
            this.ids = new Ids(dataSet);
            this.toSkip = toSkip;
        }

        @Override
        public List<Event> run() {
            for (; toSkip > 0; toSkip--) {
                events.next();
                ids.next();
            }
            List<Event> batch = new ArrayList<>(BATCH);
            while (events.hasNext() && batch.size() < BATCH) {
                batch.add(encode(codec, ids.next(), events.next()));
            }
            return batch;
        }
    }
}
