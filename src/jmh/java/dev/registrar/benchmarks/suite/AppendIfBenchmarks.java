package dev.registrar.benchmarks.suite;

import static dev.registrar.benchmarks.suite.Expected.appended;
import static dev.registrar.benchmarks.suite.Expected.conflict;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Caller;
import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.Template;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** How fast are appends with a condition? A condition covers the whole store, unless stated otherwise. */
public class AppendIfBenchmarks {
    private static final String CONFLICTING_TYPE = "ConflictingEvent";
    private static final String PAST_TYPE = "PastEvent";
    private static final int LARGEST_FILLED = 100_000;

    static List<Row> rows(List<Template> dataSets, boolean huge) {
        List<Row> rows = new ArrayList<>();
        for (Template data : dataSets) {
            for (int events : new int[] {1, 100}) {
                for (int callers : new int[] {1, 10, 100}) {
                    rows.add(noConflict(events, callers).on(data));
                    rows.add(conflictRound(events, callers).on(data));
                }
            }
            if (data != Template.MEDIUM) {
                for (int events : new int[] {5, 12}) {
                    rows.add(noConflict(events, 1).on(data));
                    rows.add(conflictRound(events, 1).on(data));
                }
            }
        }
        rows.add(noConflict(10, 1));
        for (int events : new int[] {1, 100}) {
            for (int callers : new int[] {1, 10, 100}) {
                rows.add(row("with-conflict", "withConflict")
                        .with("events", events)
                        .events(0)
                        .by(callers));
            }
        }
        for (int past : new int[] {10, 100, 10_000}) {
            rows.add(row("past-events", "pastEvents").with("past", past));
        }
        for (int conflicts : new int[] {1, 10, 100}) {
            rows.add(row("conflicts", "conflicts").with("conflicts", conflicts).events(0));
        }
        for (int callers : new int[] {10, 100}) {
            rows.add(row("same-boundary", "sameBoundary").by(callers));
            rows.add(row("disjoint-boundaries", "disjointBoundaries").by(callers));
            rows.add(row("overlapping-boundaries", "overlappingBoundaries").by(callers));
        }
        for (int callers : new int[] {1, 100}) {
            for (int stored = 1_000; stored <= LARGEST_FILLED; stored *= 10) {
                rows.add(storeSize(stored, Template.EMPTY).by(callers));
            }
            rows.add(storeSize(1_000_000, Template.LARGE).by(callers));
            if (huge) {
                rows.add(storeSize(10_000_000, Template.HUGE).by(callers));
            }
        }
        return rows;
    }

    private static Row row(String name, String method) {
        return Row.of("append-if/" + name, AppendIfBenchmarks.class, method);
    }

    private static Row noConflict(int events, int callers) {
        return row("no-conflict", "noConflict")
                .with("events", events)
                .events(events)
                .by(callers);
    }

    private static Row conflictRound(int events, int callers) {
        return row("conflict-round", "conflictRound")
                .with("events", events)
                .settling("racing", callers)
                .events(0)
                .by(callers)
                .callsPerOperation(callers);
    }

    private static Row storeSize(int stored, Template template) {
        return row("store-size", "storeSize").with("stored", stored).on(template);
    }

    /** A condition without a match. */
    @Benchmark
    public Appended noConflict(BenchmarkStore store, Writer writer, AppendBenchmarks.Size size) {
        List<Event> events = writer.events("appendif", size.events);
        QueryItem same = new QueryItem(Set.of(), events.getFirst().tags());
        return appended(size.events, store.store.append(events, AppendCondition.failIfEventsMatch(Query.of(same))));
    }

    /** Events with unique numbers. Each call's condition matches one of them. */
    @State(Scope.Benchmark)
    public static class ConflictingEvents {
        private static final int EVENTS = 1_000;

        /** Appends the events, outside the measurement. */
        @Setup
        public void write(BenchmarkStore store) {
            List<Event> events = new ArrayList<>();
            for (int i = 0; i < EVENTS; i++) {
                events.add(Writer.event(CONFLICTING_TYPE, "conflict", Integer.toString(i)));
            }
            appended(EVENTS, store.store.append(events));
            StoredEvents.analyze();
        }

        Query any(Writer writer) {
            return Query.of(QueryItem.types(CONFLICTING_TYPE)
                    .tagged("test:conflict", "unique_id:" + writer.random.nextInt(EVENTS)));
        }
    }

    /** A condition that matches one event: nothing is appended. */
    @Benchmark
    public Conflict withConflict(
            BenchmarkStore store, Writer writer, AppendBenchmarks.Size size, ConflictingEvents conflicting) {
        AppendCondition condition = AppendCondition.failIfEventsMatch(conflicting.any(writer));
        return conflict(CONFLICTING_TYPE, store.store.append(writer.events("appendif", size.events), condition));
    }

    /** The callers of a round. */
    @State(Scope.Benchmark)
    public static class Round {
        @Param("1")
        int racing;
    }

    /**
     * A round of the published benchmark: first one conflicting event for each caller is appended, one after the other,
     * then all callers race to append and are refused. A call is an append of a conflicting event and a refused append.
     */
    @Benchmark
    public List<Conflict> conflictRound(BenchmarkStore store, Writer writer, AppendBenchmarks.Size size, Round round)
            throws ExecutionException, InterruptedException {
        String own = writer.unique();
        Query conflicting = Query.of(QueryItem.types(CONFLICTING_TYPE).tagged("test:conflict", "unique_id:" + own));
        for (int i = 0; i < round.racing; i++) {
            appended(1, store.store.append(List.of(Writer.event(CONFLICTING_TYPE, "conflict", own))));
        }
        List<List<Event>> refused = IntStream.range(0, round.racing)
                .mapToObj(caller -> writer.events("appendif", size.events))
                .toList();
        AppendCondition condition = AppendCondition.failIfEventsMatch(conflicting);
        Conflict[] conflicts = new Conflict[round.racing];
        Callers.run(
                round.racing,
                caller -> conflicts[caller] =
                        conflict(CONFLICTING_TYPE, store.store.append(refused.get(caller), condition)));
        return List.of(conflicts);
    }

    /** Events that match the condition, but not after the position that the condition starts from. */
    @State(Scope.Benchmark)
    public static class PastEvents {
        @Param("10")
        int past;

        private Head seen;

        /** Appends the events, outside the measurement. */
        @Setup
        public void write(BenchmarkStore store) {
            for (int written = 0; written < past; written += StoredEvents.BATCH) {
                List<Event> events = new ArrayList<>();
                for (int i = written; i < Math.min(past, written + StoredEvents.BATCH); i++) {
                    events.add(Writer.event(PAST_TYPE, "past", "past-" + i));
                }
                appended(events.size(), store.store.append(events));
            }
            StoredEvents.analyze();
            seen = store.store.head();
            Expected.events(past, store.store.count(query()));
        }

        private static Query query() {
            return Query.of(QueryItem.types(PAST_TYPE).tagged("test:past"));
        }

        AppendCondition condition() {
            return AppendCondition.failIfEventsMatch(query()).after(seen);
        }
    }

    /** Appends an event unless there is a newer match. */
    @Benchmark
    public Appended pastEvents(BenchmarkStore store, Writer writer, PastEvents past) {
        return appended(1, store.store.append(writer.events("appendif", 1), past.condition()));
    }

    /** Events that all match the condition. */
    @State(Scope.Benchmark)
    public static class Conflicts {
        @Param("1")
        int conflicts;

        /** Appends the events, outside the measurement. */
        @Setup
        public void write(BenchmarkStore store) {
            List<Event> events = new ArrayList<>();
            for (int i = 0; i < conflicts; i++) {
                events.add(Writer.event(CONFLICTING_TYPE, "conflict", Integer.toString(i)));
            }
            appended(conflicts, store.store.append(events));
            StoredEvents.analyze();
        }
    }

    @Benchmark
    public Conflict conflicts(BenchmarkStore store, Writer writer, Conflicts conflicts) {
        Query query = Query.of(QueryItem.types(CONFLICTING_TYPE).tagged("test:conflict"));
        return conflict(
                CONFLICTING_TYPE,
                store.store.append(writer.events("appendif", 1), AppendCondition.failIfEventsMatch(query)));
    }

    /**
     * All callers decide on the same boundary: each reads its last event and appends the next, and repeats on a
     * conflict.
     */
    @Benchmark
    public Appended sameBoundary(BenchmarkStore store, Writer writer) {
        return decide(store, writer, "boundary:all", Query.of(QueryItem.tags("boundary:all")));
    }

    /** Each caller decides on a separate boundary, without conflicts. */
    @Benchmark
    public Appended disjointBoundaries(BenchmarkStore store, Writer writer) {
        String own = "boundary:" + writer.number;
        return BenchmarkStore.appended(tryToDecide(store, writer, own, Query.of(QueryItem.tags(own))));
    }

    /** Each caller's boundary includes the events of the next caller. */
    @Benchmark
    public Appended overlappingBoundaries(BenchmarkStore store, Writer writer) {
        String own = "boundary:" + writer.number;
        String next = "boundary:" + (writer.number + 1);
        return decide(store, writer, own, Query.of(QueryItem.tags(own), QueryItem.tags(next)));
    }

    private static Appended decide(BenchmarkStore store, Writer writer, String tag, Query boundary) {
        AppendResult result = tryToDecide(store, writer, tag, boundary);
        while (result instanceof Conflict) {
            result = tryToDecide(store, writer, tag, boundary);
        }
        return BenchmarkStore.appended(result);
    }

    private static AppendResult tryToDecide(BenchmarkStore store, Writer writer, String tag, Query boundary) {
        Position seen = store.store.last(boundary).map(SequencedEvent::position).orElse(Position.START);
        Event event = Event.of("BoundaryDecided", "{\"unique_id\":\"" + writer.unique() + "\"}", tag);
        AppendCondition unchanged = AppendCondition.failIfEventsMatch(boundary).after(seen);
        return store.store.append(List.of(event), unchanged);
    }

    /** A store of courses with 62 events each. */
    @State(Scope.Benchmark)
    public static class StoreOfSize {
        private static final int EVENTS_PER_COURSE = 62;

        @Param("1000")
        int stored;

        private int courses;

        /** Fills the store, outside the measurement. Larger stores come from a template. */
        @Setup
        public void fill(BenchmarkStore store) {
            if (stored <= LARGEST_FILLED) {
                for (int written = 0; written < stored; written += StoredEvents.BATCH) {
                    List<Event> batch = new ArrayList<>();
                    for (int i = written; i < Math.min(stored, written + StoredEvents.BATCH); i++) {
                        batch.add(Caller.enrolled(
                                "course-" + (1 + i / EVENTS_PER_COURSE), "stored-student-" + i % 5_000));
                    }
                    appended(batch.size(), store.store.append(batch));
                }
                StoredEvents.analyze();
            }
            Expected.events(stored, store.store.count(Query.all()));
            int inTemplate = MeasuredDatabase.ofThisProcess().contents().courses();
            courses = inTemplate == 0 ? Math.max(1, stored / EVENTS_PER_COURSE) : inTemplate;
        }

        /** Returns the id of a random course. */
        String anyCourse(Writer writer) {
            return "course-" + writer.random.nextInt(1, courses + 1);
        }
    }

    /** An enrollment of a new student in a random course. */
    @Benchmark
    public Appended storeSize(BenchmarkStore store, Writer writer, StoreOfSize size) {
        Event event = Caller.enrolled(size.anyCourse(writer), writer.unique());
        return store.appendIfNew(event);
    }
}
