package dev.registrar.gatling;

import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Enrollments through the REST API, and what the log has to say of them afterwards. */
final class Enrollments {
    private static final int COURSES_PER_STUDENT = 10;
    private static final Pattern TYPE = Pattern.compile("\"type\":\"([^\"]+)\"");
    private static final Pattern CAPACITY = Pattern.compile("\\\\\"capacity\\\\\":\\s*(\\d+)");

    private final LongAdder enrolled = new LongAdder();
    private final LongAdder refused = new LongAdder();

    /** Sends an enrollment, which may be refused because of others that came before. */
    ChainBuilder enrolls(String name, Function<Session, String> course, Function<Session, String> student) {
        return exec(http(name)
                        .put(session ->
                                "/api/courses/%s/students/%s".formatted(course.apply(session), student.apply(session)))
                        .check(status().in(201, 409).saveAs("enrollment")))
                .exec(session -> {
                    if (session.contains("enrollment")) {
                        (session.getInt("enrollment") == 201 ? enrolled : refused).increment();
                    }
                    return session;
                });
    }

    static void defineCourse(Service service, String id, int capacity) {
        service.post(
                "/api/courses", "{\"id\": \"%s\", \"title\": \"A course\", \"capacity\": %d}".formatted(id, capacity));
    }

    static void registerStudent(Service service, String id) {
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
     * Whether the whole log keeps the rules: no course above its capacity at any time, no student above the limit, no
     * pair twice, and as many enrollments as before and acknowledged.
     */
    String verdict(Service service, long before) {
        Log log = new Log();
        try (Stream<String> events = service.events("{\"items\": []}")) {
            events.forEach(log::add);
        }
        if (!log.wrong.isEmpty()) {
            return log.wrong;
        }
        return log.enrollments == before + enrolled.sum()
                ? LoadSimulation.RIGHT
                : "%d enrollments are in the log and not %d".formatted(log.enrollments, before + enrolled.sum());
    }

    /** What the log says, event by event. */
    private static final class Log {
        private final Map<String, Integer> capacities = new HashMap<>();
        private final Map<String, Integer> seats = new HashMap<>();
        private final Map<String, Integer> courses = new HashMap<>();
        private final Set<Enrolled> pairs = new HashSet<>();
        private long enrollments;
        private String wrong = "";

        void add(String event) {
            switch (first(TYPE, event)) {
                case "CourseDefined", "CourseCapacityChanged" ->
                    capacities.put(
                            event.replaceFirst(".*\"course:([^\"]+)\".*", "$1"),
                            Integer.valueOf(first(CAPACITY, event)));
                case "StudentEnrolledInCourse" -> enroll(Enrolled.of(event), event);
                case "StudentDroppedCourse" -> drop(Enrolled.of(event), event);
                default -> {}
            }
        }

        private void enroll(Enrolled pair, String event) {
            enrollments++;
            expect(pairs.add(pair), "a pair twice", event);
            expect(
                    seats.merge(pair.course(), 1, Integer::sum) <= capacities.getOrDefault(pair.course(), 0),
                    "a course above its capacity",
                    event);
            expect(
                    courses.merge(pair.student(), 1, Integer::sum) <= COURSES_PER_STUDENT,
                    "a student above the limit",
                    event);
        }

        private void drop(Enrolled pair, String event) {
            expect(pairs.remove(pair), "a drop of nobody", event);
            seats.merge(pair.course(), -1, Integer::sum);
            courses.merge(pair.student(), -1, Integer::sum);
        }

        private void expect(boolean right, String what, String event) {
            if (!right && wrong.isEmpty()) {
                wrong = what + ": " + event;
            }
        }

        private static String first(Pattern pattern, String event) {
            Matcher found = pattern.matcher(event);
            return found.find() ? found.group(1) : "";
        }
    }
}
