package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.Row;
import dev.registrar.dataset.DataSet;
import dev.registrar.enrollment.CourseFacts;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StateAt;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** How fast are states folded from events? Every fold must count all events. */
@State(Scope.Benchmark)
public class ProjectBenchmarks {
    private static final EnrollmentEventCodec CODEC = new EnrollmentEventCodec();
    private static final int NEW_EVENTS = 10;
    /** The published bound of projections at a time. */
    private static final int LIMIT = 5;

    /** The callers at a time, of those that the store limits. */
    @Param("1")
    int racing;

    /** Counts the events of a type. */
    record Count(String type) implements Projection<Integer> {
        @Override
        public Query query() {
            return Query.of(QueryItem.types(type).tagged("test:benchmark"));
        }

        @Override
        public Integer initial() {
            return 0;
        }

        @Override
        public Integer apply(Integer state, SequencedEvent event) {
            return state + 1;
        }
    }

    /** The events of some projections among those of a data set. Each projection has its own events. */
    @State(Scope.Benchmark)
    public static class Counted {
        @Param("1")
        int projections;

        @Param("0")
        int events;

        private List<Count> counts;
        private Query query;
        private List<StateAt<Integer>> before;

        /** Appends the events, outside the measurement, and counts all but the newest ten. */
        @Setup
        public void write(BenchmarkStore store) {
            counts = IntStream.range(0, projections)
                    .mapToObj(number -> new Count("TestEvent" + number))
                    .toList();
            query = counts.stream().map(Count::query).reduce(Query::or).orElseThrow();
            List<Event> written = IntStream.range(0, events)
                    .boxed()
                    .flatMap(number -> counts.stream()
                            .map(count -> Caller.event(count.type(), "benchmark", "projected-" + number)))
                    .toList();
            int old = Math.max(0, written.size() - NEW_EVENTS);
            store.appendAll(written.subList(0, old).stream());
            Projected projected = project(store);
            before = counts.stream()
                    .map(count ->
                            new StateAt<>(count, projected.state(count), projected.head(), projected.state(count)))
                    .toList();
            StoredEvents.write(store, written.subList(old, written.size()).stream());
        }

        Projected project(BenchmarkStore store) {
            return store.store.project(counts.toArray(Projection[]::new));
        }

        Projected checked(Projected projected) {
            counts.forEach(count -> Expected.events(events, projected.state(count)));
            return projected;
        }
    }

    /** Reads all events into a list, over which each projection iterates. */
    @Row("project/list dataset=tiny,small events=0 projections=1,2")
    @Row("project/list dataset=small events=100,10000 projections=1,2,3")
    @Row("project/concurrent dataset=tiny,small,medium events=0 callers=1,10,25")
    @Row("project/concurrent dataset=small events=100 callers=1,10,25")
    @Benchmark
    public int listed(BenchmarkStore store, Counted counted) {
        List<SequencedEvent> list = StoredEvents.list(store, counted.query);
        int sum = 0;
        for (Count count : counted.counts) {
            int state = count.initial();
            for (SequencedEvent event : list) {
                if (count.query().matches(event.event())) {
                    state = count.apply(state, event);
                }
            }
            sum += Expected.events(counted.events, state);
        }
        return sum;
    }

    /** Folds all projections while the events arrive, up to one head that a decision can use. */
    @Row("project/streamed dataset=tiny,small events=0 projections=1,2")
    @Row("project/streamed dataset=small events=100,10000 projections=1,2,3")
    @Row("project/concurrent-streamed dataset=tiny,small,medium events=0 callers=1,10,25")
    @Row("project/concurrent-streamed dataset=small events=100 callers=1,10,25")
    @Benchmark
    public Projected streamed(BenchmarkStore store, Counted counted) {
        return counted.checked(counted.project(store));
    }

    /**
     * Concurrent callers that project; the store admits five at a time. Each gets its states or is refused at once. Up
     * to five callers are never refused. Of more callers, at least five get their states.
     */
    @Row(
            value = "project/limited dataset=small callers=5,8,10",
            with = "projections=3 events=100 racing={callers} maxProjections=5",
            calls = "{callers}")
    @Benchmark
    public int limited(BenchmarkStore store, Counted counted) {
        AtomicInteger refused = new AtomicInteger();
        Callers.run(racing, caller -> {
            try {
                streamed(store, counted);
            } catch (OverloadedException tooMany) {
                refused.incrementAndGet();
            }
        });
        if (refused.get() > Math.max(0, racing - LIMIT)) {
            throw new IllegalStateException(
                    "Of %s callers %s were refused, with a limit of %s".formatted(racing, refused.get(), LIMIT));
        }
        return refused.get();
    }

    /** Brings states up to date that contain all but the newest ten events. */
    @Row(value = "project/incremental dataset=small", with = "events=10000")
    @Benchmark
    public Projected incremental(BenchmarkStore store, Counted counted) {
        return counted.checked(store.store.project(counted.before));
    }

    /** The facts of a random course, folded from its 51 events on average, without the write loop and its cache. */
    @Row(value = "project/course dataset=small callers=1", by = "pool/select load=single pool=bare")
    @Row(value = "project/course dataset=small callers=10", by = "pool/select load=light pool=bare")
    @Row(value = "project/course dataset=small callers=100", by = "pool/select load=heavy pool=bare")
    @Benchmark
    public CourseFacts.State course(BenchmarkStore store, Caller caller, ExpectedCounts expected) {
        CourseId course = DataSet.course(caller.course());
        Projection<CourseFacts.State> facts = CourseFacts.of(course).decodedBy(CODEC);
        CourseFacts.State state = store.store.project(facts).state(facts);
        Expected.events(expected.of(course.tag()) - 1, state.enrolled());
        return state;
    }
}
