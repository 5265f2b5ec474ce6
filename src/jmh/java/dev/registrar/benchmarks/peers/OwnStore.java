package dev.registrar.benchmarks.peers;

import dev.registrar.decision.JsonEventCodec;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The workloads on this store, as the clients of the other stores have them. The arguments are {@code URL USER load} or
 * {@code URL USER WORKLOAD CALLERS MEASURED WARM_UP…}, with times in seconds, and the environment has the password.
 * Prints the calls a second after each warm-up.
 */
final class OwnStore {
    /** The variable of the environment that has the password. */
    static final String PASSWORD = "PEERS_PASSWORD";

    private static final int COURSES = 5_000;
    private static final int STUDENTS = 50_000;
    private static final int COURSES_OF_STUDENT = 5;
    private static final int STUDENTS_OF_COURSE = COURSES_OF_STUDENT * STUDENTS / COURSES;
    private static final int SEATS = 100;
    private static final int BATCH = 1_000;

    private static final JsonEventCodec<DomainEvent> CODEC = JsonEventCodec.of(DomainEvent.class, event -> List.of());

    private final PostgresEventStore store;

    private OwnStore(PostgresEventStore store) {
        this.store = store;
    }

    public static void main(String... arguments) {
        String password = System.getenv().getOrDefault(PASSWORD, "");
        try (PostgresEventStore store = PostgresEventStore.open(arguments[0], arguments[1], password)) {
            OwnStore own = new OwnStore(store);
            switch (arguments[2]) {
                case "load" -> own.load();
                case "append" -> measure(own::append, arguments);
                case "append-unless-exists" -> measure(own::appendUnlessExists, arguments);
                case "decide" -> measure(own::decide, arguments);
                case "fold" -> measure(own::fold, arguments);
                default -> throw new IllegalArgumentException("There is no workload " + arguments[2]);
            }
        }
    }

    private static void measure(Runnable call, String... arguments) {
        int callers = Integer.parseInt(arguments[3]);
        long measured = Long.parseLong(arguments[4]);
        LongStream warmUps = Stream.of(arguments).skip(5).mapToLong(Long::parseLong);
        Calling.rates(callers, call, measured, warmUps.toArray()).forEach(rate -> System.out.println(Math.round(rate)));
    }

    /* 305,000 events. */
    private void load() {
        List<Event> events = new ArrayList<>();
        for (int course = 0; course < COURSES; course++) {
            events.add(Event.of(
                    "CourseDefined",
                    "{\"courseId\": \"course-%s\", \"title\": \"Course %s\", \"capacity\": %s}"
                            .formatted(course, course, SEATS),
                    courseTag(course)));
        }
        for (int student = 0; student < STUDENTS; student++) {
            events.add(Event.of(
                    "StudentRegistered",
                    "{\"studentId\": \"student-%s\", \"name\": \"Student %s\"}".formatted(student, student),
                    studentTag(student)));
        }
        for (int student = 0; student < STUDENTS; student++) {
            for (int nth = 0; nth < COURSES_OF_STUDENT; nth++) {
                events.add(enrolled(student, (student + nth * 97) % COURSES));
            }
        }
        for (int from = 0; from < events.size(); from += BATCH) {
            appended(store.append(events.subList(from, Math.min(from + BATCH, events.size()))));
        }
    }

    private static Event enrolled(int student, int course) {
        return Event.of(
                "StudentEnrolledInCourse",
                "{\"courseId\": \"course-%s\", \"studentId\": \"student-%s\"}".formatted(course, student),
                studentTag(student),
                courseTag(course));
    }

    private static String courseTag(int course) {
        return "course:course-" + course;
    }

    private static String studentTag(int student) {
        return "student:student-" + student;
    }

    sealed interface DomainEvent {}

    record CourseDefined(String courseId, String title, int capacity) implements DomainEvent {}

    record StudentRegistered(String studentId, String name) implements DomainEvent {}

    record StudentEnrolledInCourse(String courseId, String studentId) implements DomainEvent {}

    /** The number of enrollments with a tag. The JSON of each event with the tag is decoded to its type. */
    private record Enrollments(String tag) implements Projection<Integer> {
        @Override
        public Query query() {
            return Query.of(QueryItem.tags(tag));
        }

        @Override
        public Integer initial() {
            return 0;
        }

        @Override
        public Integer apply(Integer enrollments, SequencedEvent found) {
            Event event = found.event();
            return CODEC.decode(event.type(), event.payload()) instanceof StudentEnrolledInCourse
                    ? enrollments + 1
                    : enrollments;
        }
    }

    private void append() {
        appended(store.append(List.of(Event.of("UserCreated", "{}", "user:" + UUID.randomUUID()))));
    }

    private void appendUnlessExists() {
        String tag = "user:" + UUID.randomUUID();
        AppendCondition none = AppendCondition.failIfEventsMatch(
                Query.of(QueryItem.types("UserCreated").tagged(tag)));
        appended(store.append(Append.of(Event.of("UserCreated", "{}", tag)).onCondition(none)));
    }

    /* Reads a course and a student, decides on an enrollment, and appends it unless there are newer events; then again. */
    private void decide() {
        int student = ThreadLocalRandom.current().nextInt(STUDENTS);
        int course = ThreadLocalRandom.current().nextInt(COURSES);
        Enrollments inCourse = new Enrollments(courseTag(course));
        Enrollments ofStudent = new Enrollments(studentTag(student));
        AppendResult result;
        do {
            Projected seen = store.project(inCourse, ofStudent);
            expect(seen.state(inCourse) >= STUDENTS_OF_COURSE);
            expect(seen.state(ofStudent) >= COURSES_OF_STUDENT);
            expect(seen.state(inCourse) < SEATS);
            result = store.append(List.of(enrolled(student, course)), seen.appendCondition());
            expect(result instanceof Appended || result instanceof Conflict);
        } while (result instanceof Conflict);
    }

    private void fold() {
        Enrollments inCourse =
                new Enrollments(courseTag(ThreadLocalRandom.current().nextInt(COURSES)));
        expect(store.project(inCourse).state(inCourse) == STUDENTS_OF_COURSE);
    }

    private static void appended(AppendResult result) {
        expect(result instanceof Appended);
    }

    private static void expect(boolean right) {
        if (!right) {
            throw new IllegalStateException("A call had an unexpected result");
        }
    }
}
