package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Caller;
import dev.registrar.benchmarks.NewPairs;
import dev.registrar.benchmarks.NewPairs.Pair;
import dev.registrar.benchmarks.Template;
import dev.registrar.benchmarks.suite.StoredEvents.Question;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** How fast are reads? Each read compares the number of its events with the number in the store. */
public class ReadBenchmarks {
    private static final int STORED = 2_000;
    private static final int READ_AT_ONCE = 1_000;
    private static final int READ_BY_CONDITION = 400;
    /** Between the 12,000 and 19,000 events that the published bulk reads returned. */
    private static final int READ_IN_BULK = 15_000;

    static List<Row> rows(List<Template> dataSets) {
        List<Row> rows = new ArrayList<>();
        for (String as : List.of("list", "stream")) {
            rows.add(tagged("single", as, 1));
            rows.add(tagged("batch", as, READ_AT_ONCE));
        }
        dataSets.forEach(data -> rows.addAll(on(data)));
        rows.add(Row.of("read/complex", ReadBenchmarks.class, "complex").events(0));
        for (Question question : Question.values()) {
            switch (question) {
                case ALL -> {}
                case TWO_TYPES -> {
                    rows.add(asked("ascending", question, STORED));
                    rows.add(asked("descending", question, STORED).settling("backwards", true));
                }
                case PAYMENTS_OF_TENANT -> rows.add(asked(question).settling("backwards", true));
                case HIGH_SELECTIVITY, ORDERS_IN_STATE -> {
                    rows.add(asked(question));
                    rows.add(asked(
                            KebabCase.of(question) + "-with-matches", question, STORED, Orders.ALL_TAGS, Orders.TYPES));
                }
                default -> rows.add(asked(question));
            }
        }
        rows.add(Row.of("read/last", ReadBenchmarks.class, "last")
                .settling("question", Question.BY_TYPE)
                .settling("stored", STORED)
                .on(Template.EMPTY));
        for (int stored : new int[] {100, 1_000, 10_000}) {
            rows.add(stored("by-type", Question.BY_TYPE, stored));
            rows.add(stored("by-tag", Question.BY_TAG, stored));
            rows.add(stored("all", Question.ALL, stored));
        }
        rows.add(stored("several-types", Question.SEVERAL_TYPES, 1_000));
        rows.add(stored("two-tags", Question.TWO_TAGS, 1_000));
        return rows;
    }

    /* Each document has other data sets for other rows. */
    private static List<Row> on(Template data) {
        List<Row> rows = new ArrayList<>();
        rows.add(bulk("list").on(data));
        if (data != Template.MEDIUM) {
            rows.add(bulk("stream").on(data));
            rows.add(tagged("append-if", "list", READ_BY_CONDITION).on(data));
            rows.add(concurrent(1).on(data));
        }
        if (data != Template.TINY) {
            rows.add(concurrent(100).on(data));
        }
        if (data == Template.SMALL) {
            rows.add(tagged("append-if", "stream", READ_BY_CONDITION).on(data));
            rows.add(concurrent(10).on(data));
        }
        return rows;
    }

    private static Row bulk(String as) {
        return tagged("bulk", as, READ_IN_BULK).with("events", READ_IN_BULK);
    }

    private static Row concurrent(int callers) {
        return Row.of("read/concurrent", ReadBenchmarks.class, "nothing")
                .events(0)
                .by(callers);
    }

    private static Row tagged(String name, String as, int events) {
        return Row.of("read/" + name, ReadBenchmarks.class, as.equals("list") ? "taggedAsList" : "tagged")
                .with("as", as)
                .settling("tagged", events)
                .events(events);
    }

    private static Row asked(Question question) {
        return asked(KebabCase.of(question), question, STORED);
    }

    private static Row stored(String name, Question question, int stored) {
        return asked("stored-" + name, question, stored, 3, 4).with("stored", stored);
    }

    private static Row asked(String name, Question question, int stored) {
        return asked(name, question, stored, 5, Orders.TYPES);
    }

    private static Row asked(String name, Question question, int stored, int tags, int types) {
        return Row.of("read/" + name, ReadBenchmarks.class, "ask")
                .settling("question", question)
                .settling("stored", stored)
                .settling("tags", tags)
                .settling("types", types)
                .events(StoredEvents.of(stored, types, tags).matching(question.query()))
                .on(Template.EMPTY);
    }

    /** Events with one tag, among those of a data set. */
    @State(Scope.Benchmark)
    public static class Tagged {
        @Param("1")
        int tagged;

        private final Query query = Query.of(QueryItem.tags("test:read"));

        /** Appends the events, outside the measurement. */
        @Setup
        public void write(BenchmarkStore store) {
            List<Event> events = new ArrayList<>();
            for (int i = 0; i < tagged; i++) {
                events.add(Writer.event("TestEvent", "read", "read-" + i));
            }
            StoredEvents.append(store, events);
            StoredEvents.analyze();
        }
    }

    @Benchmark
    public int tagged(BenchmarkStore store, Tagged events) {
        return Expected.events(events.tagged, read(store, events.query, ReadOptions.forwards()));
    }

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
    @Benchmark
    public int nothing(BenchmarkStore store) {
        return Expected.events(0, read(store, Query.of(QueryItem.tags("test:nothing")), ReadOptions.forwards()));
    }

    /**
     * An enrollment without the write loop: reads the course and the student, checks that the student is not enrolled
     * in the course, and appends on condition that neither has changed.
     */
    @Benchmark
    public Appended complex(BenchmarkStore store, NewPairs pairs) {
        Pair pair = pairs.next();
        QueryItem course = QueryItem.tags(pair.courseId().tag().value());
        QueryItem student = QueryItem.tags(pair.studentId().tag().value());
        QueryItem both = EnrollmentEventCodec.types(StudentEnrolledInCourse.class)
                .tagged(pair.courseId().tag().value(), pair.studentId().tag().value());
        Head head = store.store.head();
        int ofCourse = read(store, Query.of(course), ReadOptions.forwards());
        int ofStudent = read(store, Query.of(student), ReadOptions.forwards());
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
        private static final int TYPES = 5;
        private static final int ALL_TAGS = 9;

        @Param("100")
        int stored;

        /** The name of a {@link Question}. */
        @Param("BY_TYPE")
        String question = "";

        @Param("false")
        boolean backwards;

        /** Types of events, of {@value #TYPES}. */
        @Param("5")
        int types;

        /** Tags of each event, of {@value #ALL_TAGS}. */
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
            query = Question.valueOf(question).query();
            expected = orders.matching(query);
            last = expected == 0
                    ? null
                    : store.store.read(query, ReadOptions.backwards().limit(1)).next();
        }
    }

    @Benchmark
    public int ask(BenchmarkStore store, Orders orders) {
        ReadOptions options = orders.backwards ? ReadOptions.backwards() : ReadOptions.forwards();
        return Expected.events(orders.expected, read(store, orders.query, options));
    }

    @Benchmark
    public SequencedEvent last(BenchmarkStore store, Orders orders) {
        SequencedEvent found = store.store.last(orders.query).orElseThrow();
        if (orders.last == null || !found.position().equals(orders.last.position())) {
            throw new IllegalStateException("Expected the last event but was %s".formatted(found));
        }
        return found;
    }

    private static int read(BenchmarkStore store, Query query, ReadOptions options) {
        int events = 0;
        try (EventStream stream = store.store.read(query, options)) {
            while (stream.hasNext()) {
                stream.next();
                events++;
            }
        }
        return events;
    }
}
