package dev.registrar.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.SharedReads.Reader;
import dev.registrar.subscription.LogBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Views that share reads, each in a thread of its own, while events are appended and reads fail. */
class SharedReadsRaceTest {
    /** The view that reads in this thread; none while a batch is read ahead. */
    private static final ThreadLocal<View> READING = new ThreadLocal<>();

    private static final int EVENTS = 1_000;
    private static final int MOST = 20;
    private static final Query ODD = Query.of(QueryItem.types("Odd"));
    private static final Query EVEN = Query.of(QueryItem.types("Even"));
    private static final Query RARE = Query.of(QueryItem.types("Even").tagged("rare"));
    private static final List<Query> QUERIES = List.of(ODD, EVEN, ODD.or(EVEN), Query.all(), RARE, ODD);

    /** The view whose reads fail, by its index. */
    private static final int FAILING = 2;

    private final InMemoryEventStore store = new InMemoryEventStore();
    private final SharedReads shared = new SharedReads(this::readStore, 100);
    private final AtomicBoolean appended = new AtomicBoolean();
    private final AtomicInteger reads = new AtomicInteger();
    /** The number of reads with which each view had its first batch. */
    private int firstReads;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private void append(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        long next = 1;
        while (next <= EVENTS) {
            List<Event> batch = new ArrayList<>();
            for (int i = random.nextInt(1, 8); i > 0 && next <= EVENTS; i--) {
                String[] tags = next % 50 == 0 ? new String[] {"rare"} : new String[] {"number:" + next};
                batch.add(Event.of(next % 2 == 0 ? "Even" : "Odd", "{}", tags));
                next++;
            }
            store.append(batch);
            LockSupport.parkNanos(10_000);
        }
        appended.set(true);
    }

    /* Without it a read is shared, but reads the events of its own view alone. */
    private boolean readsForAll = true;

    private LogBatch readStore(Query wanted, Head from, int most) {
        View view = READING.get();
        if (view != null) {
            view.failSometimes();
        }
        reads.incrementAndGet();
        return LogBatch.of(
                store.read(
                        readsForAll || view == null ? wanted : view.query,
                        ReadOptions.forwards().after(from.position()).limit(most)),
                most);
    }

    /** A view: its own checkpoint, and every event that its reads have returned. */
    private final class View {
        private final Query query;
        private final Reader reader;
        private final double failures;
        private final RandomGenerator random;
        private final List<SequencedEvent> seen = new ArrayList<>();
        private Head head = store.head().start();
        private int failed;

        View(Query query, double failures, long seed) {
            this.query = query;
            this.reader = shared.join(query);
            reader.wakes();
            this.failures = failures;
            this.random = new SplittableRandom(seed);
        }

        /** Follows the log until all events were appended and read. */
        View follow() {
            boolean isAppended = appended.get();
            boolean complete = false;
            while (!complete) {
                reader.wakes();
                int failedBefore = failed;
                boolean isLast = readBatch();
                complete = isLast && isAppended;
                if (isLast || failed > failedBefore) {
                    // As the loop of a view does before it waits. Only a read that begins after this has what is here
                    // now.
                    reader.rests();
                    LockSupport.parkNanos(10_000);
                    isAppended = appended.get();
                }
            }
            reader.close();
            return this;
        }

        @CanIgnoreReturnValue
        private boolean readBatch() {
            LogBatch batch;
            READING.set(this);
            try {
                batch = reader.read(head, MOST);
            } catch (OwnFailure failure) {
                assertThat(failure.view).as("the view whose read failed").isSameAs(this);
                failed++;
                return false;
            }
            seen.addAll(batch.events());
            head = batch.end();
            return batch.isLast();
        }

        /* The first read certainly, if any. */
        private void failSometimes() {
            if (failures > 0 && (failed == 0 || random.nextDouble() < failures)) {
                LockSupport.parkNanos(100_000);
                throw new OwnFailure(this);
            }
        }
    }

    private static final class OwnFailure extends RuntimeException {
        private final transient View view;

        OwnFailure(View view) {
            this.view = view;
        }
    }

    private List<View> race(long seed, double failures) throws Exception {
        store.append(List.of(Event.of("Odd", "{}"), Event.of("Even", "{}", "rare")));
        List<View> views = new ArrayList<>();
        for (Query query : QUERIES) {
            views.add(new View(query, views.size() == FAILING ? failures : 0, seed + views.size()));
        }
        /* One after another, so that the first read is certainly shared, and a read that may fail is certainly made. */
        if (failures > 0) {
            views.get(FAILING).readBatch();
        }
        views.forEach(View::readBatch);
        firstReads = reads.get();
        List<Future<View>> running = new ArrayList<>();
        views.forEach(view -> running.add(threads.submit(view::follow)));
        threads.submit(() -> append(seed)).get();
        for (Future<View> view : running) {
            view.get();
        }
        return views;
    }

    /** The views that did not get exactly the events of their query, in the order of the log. */
    private List<Query> wrong(List<View> views) {
        return views.stream()
                .filter(view -> !view.seen.equals(store.read(view.query).toList()))
                .map(view -> view.query)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void each_view_gets_its_own_events_once_and_in_order(long seed) throws Exception {
        List<View> views = race(seed, 0);

        assertThat(wrong(views)).isEmpty();
        assertThat(firstReads).as("all views share the first read").isOne();
    }

    /* A third of one view's reads fail, most of them while other views wait for them. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void a_view_whose_reads_fail_disturbs_no_other(long seed) throws Exception {
        List<View> views = race(seed, 0.3);

        assertThat(wrong(views)).isEmpty();
        assertThat(views.get(FAILING).failed).isPositive();
    }

    /* The second view waits for the first one's read, which then fails. */
    @Test
    void a_view_reads_alone_when_the_read_that_it_waits_for_fails() throws Exception {
        store.append(List.of(Event.of("Odd", "{}"), Event.of("Even", "{}")));
        Head start = store.head().start();
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Thread> waiting = new CompletableFuture<>();
        AtomicBoolean isFirst = new AtomicBoolean(true);
        SharedReads failingFirst = new SharedReads(
                (wanted, from, most) -> {
                    if (isFirst.getAndSet(false)) {
                        begun.countDown();
                        Thread other = waiting.join();
                        await().until(() -> other.getState() == Thread.State.TIMED_WAITING);
                        throw new IllegalStateException("gone");
                    }
                    return LogBatch.of(store.read(wanted, ReadOptions.forwards().after(from.position())), most);
                },
                100);
        Reader odd = failingFirst.join(ODD);
        Reader even = failingFirst.join(EVEN);
        odd.wakes();
        even.wakes();
        Future<?> failing = threads.submit(() -> odd.read(start, MOST));
        begun.await();
        Future<LogBatch> ofEven = threads.submit(() -> {
            waiting.complete(Thread.currentThread());
            return even.read(start, MOST);
        });

        assertThat(ofEven.get().events()).isEqualTo(store.read(EVEN).toList());
        assertThatThrownBy(failing::get).rootCause().hasMessage("gone");
    }

    @Test
    void without_reading_for_all_the_views_lose_events() throws Exception {
        readsForAll = false;

        assertThat(wrong(race(1, 0))).isNotEmpty();
    }
}
