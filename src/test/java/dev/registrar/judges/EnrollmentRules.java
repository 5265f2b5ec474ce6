package dev.registrar.judges;

import dev.registrar.judges.History.Call;
import dev.registrar.judges.History.Command;
import dev.registrar.judges.History.Stored;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Judges the course office by its log: at no position does an ordinary enrollment overbook a course, or bring a student
 * beyond the limit, and no student is in a course twice; each answer to a command was right at some time between its
 * invocation and its return, and each change is the effect of one command.
 */
final class EnrollmentRules {
    static final String ENROLLED = "StudentEnrolledInCourse";
    /** Of the office, which is none of the judged clients. */
    static final String ENROLLED_BY_OVERRIDE = "StudentEnrolledByOverride";

    static final String DROPPED = "StudentDroppedCourse";
    static final List<String> TYPES = List.of(
            "CourseDefined", "CourseCapacityChanged", "StudentRegistered", ENROLLED, ENROLLED_BY_OVERRIDE, DROPPED);
    private static final int COURSES_PER_STUDENT = 10;

    private final Log log;
    private final Timeline timeline;
    private final Map<String, Integer> capacities = new HashMap<>();
    /** Numbers of enrollments by position: of each course, each student, and each pair. */
    private final Map<String, TreeMap<Long, Integer>> enrolled = new HashMap<>();

    /** Numbers of free seats by position, of each course. */
    private final Map<String, TreeMap<Long, Integer>> free = new HashMap<>();

    /** How often a student was enrolled in or dropped from a course, less how often commands can have done so. */
    private final Map<String, Integer> unexplained = new HashMap<>();

    private final Set<Long> enrolledAt = new HashSet<>();
    private final List<String> violations = new ArrayList<>();

    private EnrollmentRules(History history) {
        this.log = new Log(history.start(), history.log());
        this.timeline = new Timeline(history);
    }

    /** Descriptions of what is wrong. */
    static List<String> violations(History history) {
        EnrollmentRules rules = new EnrollmentRules(history);
        history.log().stream().filter(event -> event.data() != null).forEach(rules::apply);
        history.calls().stream().filter(call -> call.command() != null).forEach(rules::explain);
        rules.unexplained.forEach((change, events) -> {
            if (events > 0) {
                rules.violations.add("(g) %s more often than commands can have said: %s".formatted(change, events));
            }
        });
        history.calls().stream()
                .filter(call -> call.command() != null && call.returned() != null)
                .forEach(rules::check);
        return rules.violations;
    }

    /** Each change is the effect of a command that said so, or whose outcome is unknown. */
    private void explain(Call call) {
        Command command = Objects.requireNonNull(call.command());
        boolean mayHaveChanged =
                call.returned() == null || command.status() == (command.method().equals("PUT") ? 201 : 204);
        String type = command.method().equals("PUT") ? ENROLLED : DROPPED;
        if (mayHaveChanged) {
            unexplained.merge("%s %s %s".formatted(type, command.course(), command.student()), -1, Integer::sum);
        }
        if (command.status() == 201 && !enrolledAt.add(Objects.requireNonNull(command.position()))) {
            violations.add("(g) another command had this position, too: %s".formatted(call));
        }
    }

    private void apply(Stored event) {
        String course = tag(event, "course:");
        switch (event.type()) {
            case "CourseDefined", "CourseCapacityChanged" -> {
                int capacity = JsonMapper.shared()
                        .readTree(Objects.requireNonNull(event.data()))
                        .path("capacity")
                        .asInt();
                capacities.put(course, capacity);
                noteFree(course, event.position());
            }
            case ENROLLED, ENROLLED_BY_OVERRIDE -> change(event, course, 1);
            case DROPPED -> change(event, course, -1);
            default -> {}
        }
    }

    private void change(Stored event, String course, int by) {
        String student = tag(event, "student:");
        boolean isOverride = event.type().equals(ENROLLED_BY_OVERRIDE);
        if (!isOverride) {
            unexplained.merge("%s %s %s".formatted(event.type(), course, student), 1, Integer::sum);
        }
        int inCourse = add(course, event.position(), by);
        int ofStudent = add(student, event.position(), by);
        int ofBoth = add(course + " " + student, event.position(), by);
        noteFree(course, event.position());
        if (by > 0
                && !isOverride
                && (inCourse > capacities.getOrDefault(course, 0) || ofStudent > COURSES_PER_STUDENT)) {
            violations.add("(g) %s enrolled, %s courses of the student at %s".formatted(inCourse, ofStudent, event));
        }
        if (ofBoth < 0 || ofBoth > 1) {
            violations.add("(g) the student is %s times in the course at %s".formatted(ofBoth, event));
        }
    }

    private int add(String what, long position, int by) {
        TreeMap<Long, Integer> numbers = enrolled.computeIfAbsent(what, absent -> new TreeMap<>(Map.of(0L, 0)));
        int number = numbers.lastEntry().getValue() + by;
        numbers.put(position, number);
        return number;
    }

    private void noteFree(String course, long position) {
        int taken = enrolled.getOrDefault(course, new TreeMap<>(Map.of(0L, 0)))
                .lastEntry()
                .getValue();
        // Before its definition a course is unknown, not full.
        free.computeIfAbsent(course, absent -> new TreeMap<>(Map.of(0L, Integer.MAX_VALUE)))
                .put(position, capacities.getOrDefault(course, 0) - taken);
    }

    private static String tag(Stored event, String prefix) {
        return event.tags().stream()
                .filter(tag -> tag.startsWith(prefix))
                .map(tag -> tag.substring(prefix.length()))
                .findFirst()
                .orElse("");
    }

    private void check(Call call) {
        Command command = Objects.requireNonNull(call.command());
        String pair = command.course() + " " + command.student();
        boolean isRight = switch (command.method() + " " + command.status() + " " + command.code()) {
            case "PUT 201 " -> isEvent(command, ENROLLED);
            // Without a body if the view is behind, or a drop has overtaken it.
            case "PUT 200 ", "PUT 204 " -> wasOnce(enrolled.get(pair), call, number -> number == 1);
            case "PUT 409 course-full" -> wasOnce(free.get(command.course()), call, number -> number <= 0);
            case "PUT 409 student-at-limit" ->
                wasOnce(enrolled.get(command.student()), call, number -> number >= COURSES_PER_STUDENT);
            case "DELETE 204 " -> isEvent(command, DROPPED) || wasOnce(enrolled.get(pair), call, number -> number == 0);
            default -> false;
        };
        if (!isRight) {
            violations.add("(g) this answer was right at no time: %s".formatted(call));
        }
    }

    private boolean isEvent(Command command, String type) {
        long position = Objects.requireNonNull(command.position());
        return log.has(position)
                && log.at(position).type().equals(type)
                && tag(log.at(position), "course:").equals(command.course())
                && tag(log.at(position), "student:").equals(command.student());
    }

    /** Whether a number was as expected at some time of a call. */
    private boolean wasOnce(@Nullable NavigableMap<Long, Integer> numbers, Call call, Predicate<Integer> expected) {
        long returned = Objects.requireNonNull(call.returned());
        if (numbers == null) {
            return expected.test(0);
        }
        long from = timeline.knownBefore(call.invoked());
        return numbers
                .subMap(numbers.floorKey(from), true, Math.max(from, timeline.possibleAt(returned)), true)
                .values()
                .stream()
                .anyMatch(expected);
    }
}
