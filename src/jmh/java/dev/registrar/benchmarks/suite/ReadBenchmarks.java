package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Caller;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.NewPairs;
import dev.registrar.benchmarks.NewPairs.Pair;
import dev.registrar.benchmarks.Row;
import dev.registrar.benchmarks.suite.StoredEvents.Question;
import dev.registrar.dataset.DataSet;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** How fast are reads? Each read compares the number of its events with the number in the store. */
public class ReadBenchmarks {
    /** Events with one tag, among those of a data set. */
    @State(Scope.Benchmark)
    public static class Tagged {
        @Param("1")
        int tagged;

        private final Query query = Query.of(QueryItem.tags("test:read"));

        /** Appends the events, outside the measurement. */
        @Setup
        public void write(BenchmarkStore store) {
            StoredEvents.write(store, tagged, number -> Writer.event("TestEvent", "read", "read-" + number));
        }
    }

    @Row("read/single as=stream dataset=small")
    @Row(value = "read/batch as=stream dataset=small", with = "tagged=1000")
    @Row(value = "read/bulk as=stream dataset=tiny,small events=15000", with = "tagged={events}")
    @Row(value = "read/append-if as=stream dataset=small", with = "tagged=400")
    @Benchmark
    public int tagged(BenchmarkStore store, Tagged events) {
        return Expected.events(events.tagged, store.read(events.query, ReadOptions.forwards()));
    }

    @Row("read/single as=list dataset=small")
    @Row(value = "read/batch as=list dataset=small", with = "tagged=1000")
    @Row(value = "read/bulk as=list dataset=tiny,small,medium events=15000", with = "tagged={events}")
    @Row(value = "read/append-if as=list dataset=tiny,small", with = "tagged=400")
    @Benchmark
    public List<SequencedEvent> taggedAsList(BenchmarkStore store, Tagged events) {
        List<SequencedEvent> list = new ArrayList<>();
        try (EventStream stream = store.store.read(events.query)) {
            stream.forEachRemaining(list::add);
        }
        Expected.events(events.tagged, list.size());
        return list;
    }

    /** Reads the events of a tag that no event has. */
    @Row("read/concurrent dataset=tiny,small callers=1")
    @Row("read/concurrent dataset=small callers=10")
    @Row("read/concurrent dataset=small,medium callers=100")
    @Benchmark
    public int nothing(BenchmarkStore store) {
        return Expected.events(0, store.read(Query.of(QueryItem.tags("test:nothing")), ReadOptions.forwards()));
    }

    /**
     * An enrollment without the write loop: reads the course and the student, checks that the student is not enrolled
     * in the course, and appends on condition that neither has changed.
     */
    @Row("read/complex dataset=small callers=1,10,100")
    @Benchmark
    public Appended complex(BenchmarkStore store, NewPairs pairs) {
        Pair pair = pairs.next();
        QueryItem course = QueryItem.tags(pair.courseId().tag().value());
        QueryItem student = QueryItem.tags(pair.studentId().tag().value());
        QueryItem both = EnrollmentEventCodec.types(StudentEnrolledInCourse.class)
                .tagged(pair.courseId().tag().value(), pair.studentId().tag().value());
        Head head = store.store.head();
        int ofCourse = store.read(Query.of(course), ReadOptions.forwards());
        int ofStudent = store.read(Query.of(student), ReadOptions.forwards());
        if (ofCourse == 0 || ofStudent == 0 || store.store.exists(Query.of(both))) {
            throw new IllegalStateException("%s cannot be enrolled".formatted(pair));
        }
        Event event = Caller.enrolled(pair.courseId().value(), pair.studentId().value());
        AppendCondition unchanged =
                AppendCondition.failIfEventsMatch(Query.of(course, student)).after(head);
        return Expected.appended(1, store.store.append(Append.of(event).onCondition(unchanged)));
    }

    /** A store that contains a shop's orders only. */
    @State(Scope.Benchmark)
    public static class Orders {
        @Param("100")
        int stored;

        /** The name of a {@link Question}. */
        @Param("by-type")
        String question = "";

        @Param("false")
        boolean backwards;

        /** Types of events, of five. */
        @Param("5")
        int types;

        /** Tags of each event, of nine. */
        @Param("5")
        int tags;

        private Query query = Query.all();
        private int expected;
        private @Nullable SequencedEvent last;

        /** Appends the events, outside the measurement. */
        @Setup
        public void write(BenchmarkStore store) {
            StoredEvents orders = StoredEvents.of(stored, types, tags);
            orders.write(store);
            query = KebabCase.parse(Question.class, question).query();
            expected = orders.matching(query);
            try (EventStream newest =
                    store.store.read(query, ReadOptions.backwards().limit(1))) {
                last = newest.hasNext() ? newest.next() : null;
            }
        }
    }

    @Row(value = "read/by-type", on = "empty", with = "question=by-type stored=2000")
    @Row(value = "read/by-tag", on = "empty", with = "question=by-tag stored=2000")
    @Row(value = "read/type-and-tag", on = "empty", with = "question=type-and-tag stored=2000")
    @Row(value = "read/two-tags", on = "empty", with = "question=two-tags stored=2000")
    @Row(value = "read/or-items", on = "empty", with = "question=or-items stored=2000")
    @Row(value = "read/several-types", on = "empty", with = "question=several-types stored=2000")
    @Row(
            value = "read/several-types-and-two-tags",
            on = "empty",
            with = "question=several-types-and-two-tags stored=2000")
    @Row(value = "read/high-selectivity", on = "empty", with = "question=high-selectivity stored=2000")
    @Row(value = "read/low-selectivity", on = "empty", with = "question=low-selectivity stored=2000")
    @Row(
            value = "read/high-selectivity-with-matches",
            on = "empty",
            with = "question=high-selectivity stored=2000 tags=9 types=5")
    @Row(
            value = "read/payments-of-tenant",
            on = "empty",
            with = "question=payments-of-tenant stored=2000 backwards=true")
    @Row(value = "read/orders-in-state", on = "empty", with = "question=orders-in-state stored=2000")
    @Row(
            value = "read/orders-in-state-with-matches",
            on = "empty",
            with = "question=orders-in-state stored=2000 tags=9 types=5")
    @Row(value = "read/ascending", on = "empty", with = "question=two-types stored=2000")
    @Row(value = "read/descending", on = "empty", with = "question=two-types stored=2000 backwards=true")
    @Row(
            value = "read/stored-by-type stored=100,1000,10000",
            on = "empty",
            with = "question=by-type stored={stored} tags=3 types=4")
    @Row(
            value = "read/stored-by-tag stored=100,1000,10000",
            on = "empty",
            with = "question=by-tag stored={stored} tags=3 types=4")
    @Row(
            value = "read/stored-all stored=100,1000,10000",
            on = "empty",
            with = "question=all stored={stored} tags=3 types=4")
    @Row(
            value = "read/stored-several-types stored=1000",
            on = "empty",
            with = "question=several-types stored={stored} tags=3 types=4")
    @Row(
            value = "read/stored-two-tags stored=1000",
            on = "empty",
            with = "question=two-tags stored={stored} tags=3 types=4")
    @Benchmark
    public int ask(BenchmarkStore store, Orders orders) {
        ReadOptions options = orders.backwards ? ReadOptions.backwards() : ReadOptions.forwards();
        return Expected.events(orders.expected, store.read(orders.query, options));
    }

    @Row(value = "read/last", on = "empty", with = "question=by-type stored=2000")
    @Benchmark
    public SequencedEvent last(BenchmarkStore store, Orders orders) {
        SequencedEvent found = store.store.last(orders.query).orElseThrow();
        if (orders.last == null || !found.position().equals(orders.last.position())) {
            throw new IllegalStateException("Expected the last event but was %s".formatted(found));
        }
        return found;
    }

    /** The six events of a random student. */
    @Row(
            value = "read/student dataset=small callers=1",
            by = "pool/select dataset=small load=single pool=bare callers=1")
    @Row(
            value = "read/student dataset=small callers=10",
            by = "pool/select dataset=small load=light pool=bare callers=10")
    @Row(
            value = "read/student dataset=small callers=100",
            by = "pool/select dataset=small load=heavy pool=bare callers=100")
    @Benchmark
    public int student(BenchmarkStore store, Caller caller, ExpectedCounts expected) {
        int student = caller.student();
        Query query = Query.of(QueryItem.tags(DataSet.student(student).tag().value()));
        return Expected.events(expected.ofStudent(student), store.read(query, ReadOptions.forwards()));
    }

    /** The direction of a read. */
    @State(Scope.Benchmark)
    public static class Order {
        @Param("forwards")
        String order = "";

        ReadOptions options() {
            return order.equals("forwards") ? ReadOptions.forwards() : ReadOptions.backwards();
        }
    }

    /** The 51 events of a random course. */
    @Row("read/course dataset=medium order=forwards")
    @Row(
            value = "read/course dataset=medium order=backwards",
            by = "read/course dataset=medium order=forwards callers=1")
    @Benchmark
    public int course(BenchmarkStore store, Caller caller, ExpectedCounts expected, Order order) {
        int course = caller.course();
        Query query = Query.of(QueryItem.tags(DataSet.course(course).tag().value()));
        return Expected.events(expected.ofCourse(course), store.read(query, order.options()));
    }

    /** The 10,000 events of a type. */
    @Row("read/type dataset=medium order=forwards")
    @Row(value = "read/type dataset=medium order=backwards", by = "read/type dataset=medium order=forwards callers=1")
    @Benchmark
    public int type(BenchmarkStore store, ExpectedCounts expected, Order order) {
        Query query = Query.of(EnrollmentEventCodec.types(StudentRegistered.class));
        return Expected.events(expected.students(), store.read(query, order.options()));
    }

    /** All events, and a bound of the heap that the stream of them may take. */
    @State(Scope.Benchmark)
    public static class Everything {
        static final int FETCH_SIZE = 1_000;
        static final String ALL = """
                select position, recorded_at, id, type, tags, payload, metadata
                from registrar.events
                order by position""";

        private static final int SAMPLES = 10;
        private static final long MOST_HEAP = 32_000_000;

        private long events;

        /** Reads the stream once and samples the heap, outside the measurement. */
        @Setup
        public void read(BenchmarkStore store) {
            events = store.store.count(Query.all());
            long before = usedHeap();
            long distance = Math.max(1, events / SAMPLES);
            try (EventStream stream = store.store.read(Query.all())) {
                for (long read = 1; stream.hasNext(); read++) {
                    stream.next();
                    if (read % distance == 0 && usedHeap() - before > MOST_HEAP) {
                        throw new IllegalStateException(
                                "A stream may take %s bytes of heap but took more".formatted(MOST_HEAP));
                    }
                }
            }
        }

        private static long usedHeap() {
            System.gc();
            return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        }
    }

    /** How fast is a stream of a million events beside a bare cursor of the driver? A call is an event. */
    @Row(
            value = "read/everything as=stream events=1000000",
            on = "large",
            by = "read/everything as=cursor events=1000000 callers=1",
            calls = "{events}")
    @Benchmark
    public long everything(BenchmarkStore store, Everything everything) {
        return Expected.events(everything.events, store.read(Query.all(), ReadOptions.forwards()));
    }

    /* Converts every column to a Java value, like the stream. */
    @Row(value = "read/everything as=cursor events=1000000", on = "large", calls = "{events}")
    @Benchmark
    public long everythingByCursor(Everything everything) throws SQLException {
        long events = 0;
        try (Connection connection = MeasuredDatabase.ofThisProcess().connect()) {
            connection.setAutoCommit(false);
            try (PreparedStatement statement = connection.prepareStatement(Everything.ALL)) {
                statement.setFetchSize(Everything.FETCH_SIZE);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        row.getLong(1);
                        row.getObject(2, OffsetDateTime.class);
                        row.getObject(3, UUID.class);
                        row.getString(4);
                        row.getArray(5).getArray();
                        row.getString(6);
                        row.getString(7);
                        events++;
                    }
                }
            }
        }
        return Expected.events(everything.events, events);
    }
}
