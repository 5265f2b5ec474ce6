package dev.registrar.gatling;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Enrollments through the REST API, and a check of the log after the load. */
final class Enrollments {
    private static final String POSITION = "Registrar-Position";
    private static final int COURSES_PER_STUDENT = 10;
    private static final int COURSES_OF_SMALL = 500;
    private static final Pattern TYPE = Pattern.compile("\"type\":\"([^\"]+)\"");
    private static final Pattern CAPACITY = Pattern.compile("\\\\\"capacity\\\\\":\\s*(\\d+)");

    private final LongAdder registered = new LongAdder();
    private final LongAdder enrolled = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    /** The number of events of each kind in the log before the load. */
    record Before(long registered, long enrolled) {}

    /** Sends the registration of a new student. */
    ChainBuilder registers(String name, Function<Session, String> student) {
        return exec(http(name)
                .post("/api/students")
                .body(StringBody(session -> student(student.apply(session))))
                .check(status().transform(status -> counted(status, 201, registered))
                        .is(201)));
    }

    /**
     * Sends an enrollment. It may be refused because the course is full, and the student may be enrolled already, or
     * even be dropped before the answer is made (204). The session gets the answer's status and position.
     */
    ChainBuilder enrolls(String name, Function<Session, String> course, Function<Session, String> student) {
        return exec(http(name)
                .put(session -> path(course.apply(session), student.apply(session)))
                .check(status().transform(status -> counted(counted(status, 201, enrolled), 409, refused))
                        .in(200, 201, 204, 409)
                        .saveAs("enrollment"))
                .check(header(POSITION).optional().saveAs("position")));
    }

    /** Sends a drop, which changes nothing if the student is not enrolled. */
    ChainBuilder drops(String name, Function<Session, String> course, Function<Session, String> student) {
        return exec(http(name)
                .delete(session -> path(course.apply(session), student.apply(session)))
                .check(status().transform(status -> counted(status, 204, dropped))
                        .is(204))
                .check(header(POSITION).optional().saveAs("position")));
    }

    static String path(Enrolled pair) {
        return path(pair.course(), pair.student());
    }

    private static String path(String course, String student) {
        return "/api/courses/%s/students/%s".formatted(course, student);
    }

    private static int counted(int status, int expected, LongAdder counter) {
        if (status == expected) {
            counter.increment();
        }
        return status;
    }

    /** The id of a course of the small data set. */
    static String anyCourse() {
        return "course-" + ThreadLocalRandom.current().nextInt(1, COURSES_OF_SMALL + 1);
    }

    static void defineCourse(RegistrarUnderLoad service, String id, int capacity) {
        service.post(
                "/api/courses", "{\"id\": \"%s\", \"title\": \"A course\", \"capacity\": %s}".formatted(id, capacity));
    }

    static void registerStudent(RegistrarUnderLoad service, String id) {
        service.post("/api/students", student(id));
    }

    static String student(String id) {
        return "{\"id\": \"%s\", \"name\": \"A student\", \"email\": \"%s@example.org\"}".formatted(id, id);
    }

    long enrolled() {
        return enrolled.sum();
    }

    long refused() {
        return refused.sum();
    }

    /**
     * Checks the whole log: at no time is a course above its capacity, a student above the limit, or a student enrolled
     * twice in a course. The numbers of registrations and enrollments must be those before the load and those
     * acknowledged. There are no more drops than acknowledged ones, some of which changed nothing.
     *
     * @return the violation, or {@link LoadSimulation#CORRECT}
     */
    String check(RegistrarUnderLoad service, Before before) {
        Log log = new Log();
        try (Stream<String> events = service.events("{\"items\": []}")) {
            events.forEach(log::add);
        }
        log.expectCount("registrations", log.registrations, before.registered() + registered.sum());
        log.expectCount("enrollments", log.enrollments, before.enrolled() + enrolled.sum());
        log.expect(log.drops <= dropped.sum(), "more drops than acknowledged", Long.toString(log.drops));
        return log.wrong.isEmpty() ? LoadSimulation.CORRECT : log.wrong;
    }

    /** The state that follows from the log, event by event. */
    private static final class Log {
        private final Map<String, Integer> capacities = new HashMap<>();
        private final Map<String, Integer> seats = new HashMap<>();
        private final Map<String, Integer> courses = new HashMap<>();
        private final Set<Enrolled> pairs = new HashSet<>();
        private long registrations;
        private long enrollments;
        private long drops;
        private String wrong = "";

        void add(String event) {
            switch (first(TYPE, event)) {
                case "CourseDefined", "CourseCapacityChanged" ->
                    capacities.put(
                            event.replaceFirst(".*\"course:([^\"]+)\".*", "$1"),
                            Integer.valueOf(first(CAPACITY, event)));
                case "StudentRegistered" -> registrations++;
                case "StudentEnrolledInCourse" -> enroll(Enrolled.of(event), event);
                case "StudentDroppedCourse" -> drop(Enrolled.of(event), event);
                default -> {}
            }
        }

        private void enroll(Enrolled pair, String event) {
            enrollments++;
            expect(pairs.add(pair), "a student is enrolled twice", event);
            expect(
                    seats.merge(pair.course(), 1, Integer::sum) <= capacities.getOrDefault(pair.course(), 0),
                    "a course is above its capacity",
                    event);
            expect(
                    courses.merge(pair.student(), 1, Integer::sum) <= COURSES_PER_STUDENT,
                    "a student is above the limit",
                    event);
        }

        private void drop(Enrolled pair, String event) {
            drops++;
            expect(pairs.remove(pair), "a student who is not enrolled drops", event);
            seats.merge(pair.course(), -1, Integer::sum);
            courses.merge(pair.student(), -1, Integer::sum);
        }

        private void expect(boolean right, String what, String event) {
            if (!right && wrong.isEmpty()) {
                wrong = what + ": " + event;
            }
        }

        void expectCount(String what, long found, long expected) {
            if (found != expected && wrong.isEmpty()) {
                wrong = "The log has %s %s but should have %s".formatted(found, what, expected);
            }
        }

        private static String first(Pattern pattern, String event) {
            Matcher found = pattern.matcher(event);
            return found.find() ? found.group(1) : "";
        }
    }
}
