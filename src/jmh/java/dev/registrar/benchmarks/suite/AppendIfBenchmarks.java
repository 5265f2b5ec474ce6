package dev.registrar.benchmarks.suite;

import static dev.registrar.benchmarks.suite.Expected.appended;
import static dev.registrar.benchmarks.suite.Expected.conflict;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Caller;
import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.Contents;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.NewPairs;
import dev.registrar.benchmarks.NewPairs.Pair;
import dev.registrar.benchmarks.Row;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
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

    /** A condition without a match. */
    @Row(
            value = "append-if/no-conflict dataset=small events=1 callers=1,10,100",
            by = "baseline/insert dataset=small callers={callers}")
    @Row("append-if/no-conflict dataset=tiny,medium events=1 callers=1,10,100")
    @Row("append-if/no-conflict dataset=tiny,small,medium events=100 callers=1,10,100")
    @Row("append-if/no-conflict dataset=tiny,small events=5,12")
    @Row("append-if/no-conflict dataset=small events=10")
    @Row(
            value = "slow-flush/append-if dataset=small callers=1,10,100",
            database = AppendBenchmarks.Bare.SLOW_FLUSH,
            by = "slow-flush/insert dataset=small callers={callers}")
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
            StoredEvents.write(
                    store, EVENTS, number -> Writer.event(CONFLICTING_TYPE, "conflict", Integer.toString(number)));
        }

        Query any(Writer writer) {
            return Query.of(QueryItem.types(CONFLICTING_TYPE)
                    .tagged("test:conflict", "unique_id:" + writer.random.nextInt(EVENTS)));
        }
    }

    /** A condition that matches one event: nothing is appended. */
    @Row("append-if/with-conflict dataset=small events=1,100 callers=1,10,100")
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
    @Row(
            value = "append-if/conflict-round dataset=tiny,small,medium events=1,100 callers=1,10,100",
            with = "racing={callers}",
            calls = "{callers}")
    @Row("append-if/conflict-round dataset=tiny,small events=5,12")
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
            StoredEvents.write(store, past, number -> Writer.event(PAST_TYPE, "past", "past-" + number));
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
    @Row("append-if/past-events dataset=small past=10,100,10000")
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
            StoredEvents.write(
                    store, conflicts, number -> Writer.event(CONFLICTING_TYPE, "conflict", Integer.toString(number)));
        }
    }

    @Row("append-if/conflicts dataset=small conflicts=1,10,100")
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
    @Row("append-if/same-boundary dataset=small callers=10,100")
    @Benchmark
    public Appended sameBoundary(BenchmarkStore store, Writer writer) {
        return decide(store, writer, "boundary:all", Query.of(QueryItem.tags("boundary:all")));
    }

    /** Each caller decides on a separate boundary, without conflicts. */
    @Row("append-if/disjoint-boundaries dataset=small callers=10,100")
    @Benchmark
    public Appended disjointBoundaries(BenchmarkStore store, Writer writer) {
        String own = "boundary:" + writer.number;
        return BenchmarkStore.appended(tryToDecide(store, writer, own, Query.of(QueryItem.tags(own))));
    }

    /** Each caller's boundary includes the events of the next caller. */
    @Row("append-if/overlapping-boundaries dataset=small callers=10,100")
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
                StoredEvents.write(
                        store,
                        stored,
                        number -> Caller.enrolled(
                                "course-" + (1 + number / EVENTS_PER_COURSE), "stored-student-" + number % 5_000));
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
    @Row(value = "append-if/store-size stored=1000 callers=1,100", on = "empty")
    @Row(
            value = "append-if/store-size stored=10000,100000 callers=1,100",
            on = "empty",
            by = "append-if/store-size stored=1000 callers={callers}")
    @Row(
            value = "append-if/store-size stored=1000000 callers=1,100",
            on = "large",
            by = "append-if/store-size stored=1000 callers={callers}")
    @Row(
            value = "append-if/store-size stored=10000000 callers=1,100",
            on = "huge",
            by = "append-if/store-size stored=1000 callers={callers}")
    @Benchmark
    public Appended storeSize(BenchmarkStore store, Writer writer, StoreOfSize size) {
        Event event = Caller.enrolled(size.anyCourse(writer), writer.unique());
        return store.appendIfNew(event);
    }

    /** The course has events and the student has events, but none has both tags. */
    @Row(
            value = "append-if/known-tags dataset=small callers=1,10,100",
            by = "baseline/insert dataset=small callers={callers}")
    @Row(
            value = "slow-flush/known-tags dataset=small callers=1,10,100",
            database = AppendBenchmarks.Bare.SLOW_FLUSH,
            by = "slow-flush/insert dataset=small callers={callers}")
    @Benchmark
    public Appended knownTags(BenchmarkStore store, NewPairs pairs) {
        Pair pair = pairs.next();
        return store.appendIfNew(
                Caller.enrolled(pair.courseId().value(), pair.studentId().value()));
    }

    /** An event whose one tag is a new e-mail address, in a store that is empty at first. */
    @Row(value = "durability/append-if flush=true,false", on = "empty", database = "synchronous_commit={flush}")
    @Benchmark
    public Appended newAddress(BenchmarkStore store, Writer writer) {
        String address = "email:%s@example.org".formatted(writer.unique());
        Event registered = Event.of("StudentRegistered", "{\"value\":\"test\"}", address);
        AppendCondition unique = AppendCondition.failIfEventsMatch(Query.of(QueryItem.tags(address)));
        return appended(1, store.store.append(List.of(registered), unique));
    }

    /** Conditions on tags and types that 500,000 events have and that 10 events have. No event matches. */
    public enum Forbidden {
        RARE_TAG(Contents.HOT_TYPE, Contents.RARE_TAG),
        RARE_THEN_HOT_TAG(Contents.HOT_TYPE, Contents.RARE_TAG, Contents.HOT_TAG),
        HOT_THEN_RARE_TAG(Contents.HOT_TYPE, Contents.HOT_TAG, Contents.RARE_TAG),
        TWO_HOT_TAGS(Contents.HOT_TYPE, Contents.HOT_TAG, Contents.OTHER_HOT_TAG),
        RARE_TYPE_AND_HOT_TAG(Contents.RARE_TYPE, Contents.HOT_TAG);

        @SuppressWarnings("ImmutableEnumChecker") // its sets cannot be changed
        private final QueryItem item;

        Forbidden(String type, String... tags) {
            this.item = QueryItem.types(type).tagged(tags);
        }
    }

    /** The condition, named as in the row. */
    @State(Scope.Benchmark)
    public static class Searched {
        @Param("rare-tag")
        String tags = "";

        private AppendCondition condition;

        @Setup
        public void choose() {
            condition = AppendCondition.failIfEventsMatch(Query.of(KebabCase.parse(Forbidden.class, tags).item));
        }
    }

    /** What does a frequent tag cost beside a rare one, in either order, and two that never meet? */
    @Row(value = "append-if/hot-tags tags=rare-tag", on = "hot")
    @Row(
            value = "append-if/hot-tags tags=rare-then-hot-tag,hot-then-rare-tag,two-hot-tags,rare-type-and-hot-tag",
            on = "hot",
            by = "append-if/hot-tags tags=rare-tag callers=1")
    @Benchmark
    public Appended hotTags(BenchmarkStore store, Caller caller, Searched searched) {
        Event event = Event.of(Contents.HOT_TYPE, "{}", caller.newTag());
        return appended(1, store.store.append(Append.of(event).onCondition(searched.condition)));
    }
}
