package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
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
import dev.registrar.eventstore.Tag;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** How fast are reads? Each read compares the number of its events with the number in the store. */
@State(Scope.Benchmark)
public class ReadBenchmarks {
    /** The events of the published benchmarks of reads. */
    private static final String AS_READ = " tags=3 types=4";

    @Param("forwards")
    String order = "";

    private ReadOptions inOrder() {
        return order.equals("forwards") ? ReadOptions.forwards() : ReadOptions.backwards();
    }

    @Row("read/single as=stream dataset=small")
    @Row(value = "read/batch as=stream dataset=small", with = "written=1000")
    @Row(value = "read/bulk as=stream dataset=tiny,small events=15000", with = "written={events}")
    @Row(value = "read/append-if as=stream dataset=small", with = "written=400")
    @Benchmark
    public int tagged(BenchmarkStore store, TestEvents events) {
        return Expected.events(events.written, store.read(TestEvents.all(), ReadOptions.forwards()));
    }

    @Row("read/single as=list dataset=small")
    @Row(value = "read/batch as=list dataset=small", with = "written=1000")
    @Row(value = "read/bulk as=list dataset=tiny,small,medium events=15000", with = "written={events}")
    @Row(value = "read/append-if as=list dataset=tiny,small", with = "written=400")
    @Benchmark
    public List<SequencedEvent> taggedAsList(BenchmarkStore store, TestEvents events) {
        List<SequencedEvent> list = StoredEvents.list(store, TestEvents.all());
        Expected.events(events.written, list.size());
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
        QueryItem course = QueryItem.tags(pair.course().tag().value());
        QueryItem student = QueryItem.tags(pair.student().tag().value());
        QueryItem both = EnrollmentEventCodec.types(StudentEnrolledInCourse.class)
                .tagged(pair.course().tag().value(), pair.student().tag().value());
        Head head = store.store.head();
        int ofCourse = store.read(Query.of(course), ReadOptions.forwards());
        int ofStudent = store.read(Query.of(student), ReadOptions.forwards());
        if (ofCourse == 0 || ofStudent == 0 || store.store.exists(Query.of(both))) {
            throw new IllegalStateException("%s cannot be enrolled".formatted(pair));
        }
        Event event = Caller.enrolled(pair.course().value(), pair.student().value());
        AppendCondition unchanged =
                AppendCondition.failIfEventsMatch(Query.of(course, student)).after(head);
        return Expected.appended(1, store.store.append(Append.of(event).onCondition(unchanged)));
    }

    /** A store that contains a shop's orders only. */
    @State(Scope.Benchmark)
    public static class Orders {
        @Param("2000")
        int stored;

        /** The name of a {@link Question}. */
        @Param("by-type")
        String question = "";

        /** Types of events, of five. */
        @Param("5")
        int types;

        /** Tags of each event, of nine. */
        @Param("5")
        int tags;

        private Query query = Query.all();
        private int expected;

        /** Appends the events, outside the measurement. */
        @Setup
        public void write(BenchmarkStore store) {
            List<Event> orders = StoredEvents.orders(stored, types, tags);
            StoredEvents.write(store, orders.stream());
            query = KebabCase.parse(Question.class, question).query;
            expected = (int) orders.stream().filter(query::matches).count();
        }
    }

    @Row(value = "read/type-and-tag", on = "empty", with = "question=type-and-tag")
    @Row(value = "read/or-items", on = "empty", with = "question=or-items")
    @Row(value = "read/several-types-and-two-tags", on = "empty", with = "question=several-types-and-two-tags")
    @Row(value = "read/high-selectivity", on = "empty", with = "question=high-selectivity")
    @Row(value = "read/low-selectivity", on = "empty", with = "question=low-selectivity")
    @Row(value = "read/high-selectivity-with-matches", on = "empty", with = "question=high-selectivity tags=9")
    @Row(value = "read/payments-of-tenant", on = "empty", with = "question=payments-of-tenant order=backwards")
    @Row(value = "read/orders-in-state", on = "empty", with = "question=orders-in-state")
    @Row(value = "read/orders-in-state-with-matches", on = "empty", with = "question=orders-in-state tags=9")
    @Row(value = "read/ascending", on = "empty", with = "question=two-types")
    @Row(value = "read/descending", on = "empty", with = "question=two-types order=backwards")
    @Row(value = "read/stored-by-type stored=100,1000,10000", on = "empty", with = "question=by-type" + AS_READ)
    @Row(value = "read/stored-by-tag stored=100,1000,10000", on = "empty", with = "question=by-tag" + AS_READ)
    @Row(value = "read/stored-all stored=100,1000,10000", on = "empty", with = "question=all" + AS_READ)
    @Row(value = "read/stored-several-types stored=1000", on = "empty", with = "question=several-types" + AS_READ)
    @Row(value = "read/stored-two-tags stored=1000", on = "empty", with = "question=two-tags" + AS_READ)
    @Benchmark
    public int ask(BenchmarkStore store, Orders orders) {
        return Expected.events(orders.expected, store.read(orders.query, inOrder()));
    }

    @Row(value = "read/last", on = "empty", with = "question=by-type")
    @Benchmark
    public SequencedEvent last(BenchmarkStore store, Orders orders) {
        SequencedEvent found = store.store.last(orders.query).orElseThrow();
        Expected.events(orders.stored - orders.types + 1, found.position().value());
        return found;
    }

    /** The six events of a random student. */
    @Row(value = "read/student dataset=small callers=1", by = "pool/select load=single pool=bare")
    @Row(value = "read/student dataset=small callers=10", by = "pool/select load=light pool=bare")
    @Row(value = "read/student dataset=small callers=100", by = "pool/select load=heavy pool=bare")
    @Benchmark
    public int student(BenchmarkStore store, Caller caller, ExpectedCounts expected) {
        return eventsOf(DataSet.student(caller.student()).tag(), store, expected, ReadOptions.forwards());
    }

    private static int eventsOf(Tag tag, BenchmarkStore store, ExpectedCounts expected, ReadOptions options) {
        return Expected.events(expected.of(tag), store.read(Query.of(QueryItem.tags(tag.value())), options));
    }

    /** The 51 events of a random course. */
    @Row(value = "read/course dataset=medium order=forwards,backwards", by = "order=forwards")
    @Benchmark
    public int course(BenchmarkStore store, Caller caller, ExpectedCounts expected) {
        return eventsOf(DataSet.course(caller.course()).tag(), store, expected, inOrder());
    }

    /** The 10,000 events of a type. */
    @Row(value = "read/type dataset=medium order=forwards,backwards", by = "order=forwards")
    @Benchmark
    public int type(BenchmarkStore store, ExpectedCounts expected) {
        Query query = Query.of(EnrollmentEventCodec.types(StudentRegistered.class));
        return Expected.events(expected.students, store.read(query, inOrder()));
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
    @Row(value = "read/everything as=stream events=1000000", on = "large", by = "as=cursor", calls = "{events}")
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
