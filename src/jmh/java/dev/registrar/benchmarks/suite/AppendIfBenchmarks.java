package dev.registrar.benchmarks.suite;

import static dev.registrar.benchmarks.suite.Expected.appended;
import static dev.registrar.benchmarks.suite.Expected.conflict;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.NewPairs;
import dev.registrar.benchmarks.NewPairs.Pair;
import dev.registrar.benchmarks.Row;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** How fast are appends with a condition? A condition covers the whole store, unless stated otherwise. */
@State(Scope.Benchmark)
public class AppendIfBenchmarks {
    private static final int LARGEST_FILLED = 100_000;

    /** The number of events per append. */
    @Param("1")
    int events;

    /** The callers of a round. */
    @Param("1")
    int racing;

    /** A condition without a match. */
    @Row(value = "append-if/no-conflict dataset=small events=1 callers=1,10,100", by = "baseline/insert")
    @Row("append-if/no-conflict dataset=tiny,medium events=1 callers=1,10,100")
    @Row("append-if/no-conflict dataset=tiny,small,medium events=100 callers=1,10,100")
    @Row("append-if/no-conflict dataset=tiny,small events=5,12")
    @Row("append-if/no-conflict dataset=small events=10")
    @Row(
            value = "slow-flush/append-if dataset=small callers=1,10,100",
            database = AppendBenchmarks.Bare.SLOW_FLUSH,
            by = "slow-flush/insert")
    @Benchmark
    public Appended noConflict(BenchmarkStore store, Caller caller) {
        List<Event> batch = caller.events("appendif", events);
        QueryItem same = new QueryItem(Set.of(), batch.getFirst().tags());
        return appended(events, store.store.append(batch, AppendCondition.failIfEventsMatch(Query.of(same))));
    }

    /** A condition that matches one event: nothing is appended. */
    @Row(value = "append-if/with-conflict dataset=small events=1,100 callers=1,10,100", with = "written=1000")
    @Benchmark
    public Conflict withConflict(BenchmarkStore store, Caller caller, TestEvents stored) {
        return refused(store, caller.events("appendif", events), stored.any(caller));
    }

    /** A condition that matches all of the events. */
    @Row(value = "append-if/conflicts dataset=small conflicts=1,10,100", with = "written={conflicts}")
    @Benchmark
    public Conflict conflicts(BenchmarkStore store, Caller caller, TestEvents stored) {
        return refused(store, caller.events("appendif", 1), TestEvents.all());
    }

    private static Conflict refused(BenchmarkStore store, List<Event> batch, Query conflicting) {
        return conflict(TestEvents.TYPE, store.store.append(batch, AppendCondition.failIfEventsMatch(conflicting)));
    }

    /**
     * A round of the published benchmark: first one conflicting event for each caller is appended, one after the other,
     * then all callers race to append and are refused. A call is an append of a conflicting event and a refused append.
     */
    @Row(
            value = "append-if/conflict-round dataset=tiny,small,medium events=1,100 callers=1,10,100",
            with = "racing={callers}",
            calls = "{callers}")
    @Row("append-if/conflict-round dataset=tiny,small events=5,12")
    @Benchmark
    public List<Conflict> conflictRound(BenchmarkStore store, Caller caller) {
        String own = caller.unique();
        Query conflicting = Query.of(QueryItem.types(TestEvents.TYPE).tagged("test:conflict", "unique_id:" + own));
        for (int i = 0; i < racing; i++) {
            appended(1, store.store.append(List.of(Caller.event(TestEvents.TYPE, "conflict", own))));
        }
        List<List<Event>> refused = Stream.generate(() -> caller.events("appendif", events))
                .limit(racing)
                .toList();
        Conflict[] conflicts = new Conflict[racing];
        Callers.run(racing, number -> conflicts[number] = refused(store, refused.get(number), conflicting));
        return List.of(conflicts);
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
                StoredEvents.write(
                        store,
                        IntStream.range(0, stored)
                                .mapToObj(number -> Caller.enrolled(
                                        "course-" + (1 + number / EVENTS_PER_COURSE),
                                        "stored-student-" + number % 5_000)));
            }
            Expected.events(stored, store.store.count(Query.all()));
            int inTemplate = MeasuredDatabase.ofThisProcess().contents().courses();
            courses = inTemplate == 0 ? Math.max(1, stored / EVENTS_PER_COURSE) : inTemplate;
        }

        /** Returns the id of a random course. */
        String anyCourse(Caller caller) {
            return "course-" + caller.random.nextInt(1, courses + 1);
        }
    }

    /** An enrollment of a new student in a random course. */
    @Row(value = "append-if/store-size stored=1000,10000,100000 callers=1,100", on = "empty", by = "stored=1000")
    @Row(value = "append-if/store-size stored=1000000 callers=1,100", on = "large", by = "stored=1000")
    @Row(value = "append-if/store-size stored=10000000 callers=1,100", on = "huge", by = "stored=1000")
    @Benchmark
    public Appended storeSize(BenchmarkStore store, Caller caller, StoreOfSize size) {
        Event event = Caller.enrolled(size.anyCourse(caller), caller.unique());
        return store.appendIfNew(event);
    }

    /** The course has events and the student has events, but none has both tags. */
    @Row(value = "append-if/known-tags dataset=small callers=1,10,100", by = "baseline/insert")
    @Row(
            value = "slow-flush/known-tags dataset=small callers=1,10,100",
            database = AppendBenchmarks.Bare.SLOW_FLUSH,
            by = "slow-flush/insert")
    @Benchmark
    public Appended knownTags(BenchmarkStore store, NewPairs pairs) {
        Pair pair = pairs.next();
        return store.appendIfNew(
                Caller.enrolled(pair.course().value(), pair.student().value()));
    }

    /** An event whose one tag is a new e-mail address, in a store that is empty at first. */
    @Row(value = "durability/append-if flush=true,false", on = "empty", database = "synchronous_commit={flush}")
    @Benchmark
    public Appended newAddress(BenchmarkStore store, Caller caller) {
        String address = "email:%s@example.org".formatted(caller.unique());
        Event registered = Event.of("StudentRegistered", "{\"value\":\"test\"}", address);
        AppendCondition unique = AppendCondition.failIfEventsMatch(Query.of(QueryItem.tags(address)));
        return appended(1, store.store.append(List.of(registered), unique));
    }
}
