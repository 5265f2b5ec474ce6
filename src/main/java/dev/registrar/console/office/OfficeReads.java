package dev.registrar.console.office;

import dev.registrar.catalog.CourseView;
import dev.registrar.catalog.CoursesView;
import dev.registrar.catalog.Current;
import dev.registrar.catalog.RostersView.EnrollmentOverride;
import dev.registrar.catalog.RostersView.Roster;
import dev.registrar.catalog.RostersView.RosterEntry;
import dev.registrar.catalog.StudentView;
import dev.registrar.catalog.StudentsView;
import dev.registrar.console.AbsentException;
import dev.registrar.console.ConsoleReads;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.StudentId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/** Reads the courses and the students that the pages of the course office show. */
@Component
final class OfficeReads {
    /** Maximum number of rows on a page. */
    static final int ROWS = 50;

    /** Maximum number of ids that complete a text. */
    static final int CHOICES = 20;

    static final String COURSES = "/console/office/courses";
    /** The parameter of a page that asks for its list as a file. */
    static final String DOWNLOAD = "download";

    static final String STUDENTS = "/console/office/students";

    private static final int LONGEST_SEARCH = 200;

    private final ConsoleReads reads;
    private final CoursesView courses;
    private final StudentsView students;

    OfficeReads(ConsoleReads reads, CoursesView courses, StudentsView students) {
        this.reads = reads;
        this.courses = courses;
        this.students = students;
    }

    /** The text of a search as the views take it: without U+0000, and cut at 200 characters. */
    static String search(String typed) {
        String text = typed.replace("\0", "").strip();
        return text.substring(
                0, text.offsetByCodePoints(0, Math.min(LONGEST_SEARCH, text.codePointCount(0, text.length()))));
    }

    Optional<CourseView> find(CourseId course) {
        return reads.read(courses, tables -> CoursesView.find(tables, course))
                .found()
                .map(Current::view);
    }

    /**
     * The course that a page is about.
     *
     * @throws AbsentException if there is none
     */
    CourseView course(CourseId course) {
        return find(course).orElseThrow(() -> AbsentException.course(course.value(), COURSES));
    }

    Optional<StudentView> find(StudentId student) {
        return reads.read(students, tables -> StudentsView.find(tables, student))
                .found()
                .map(Current::view);
    }

    /**
     * The student whom a page is about.
     *
     * @throws AbsentException if there is none
     */
    StudentView student(StudentId student) {
        return find(student)
                .orElseThrow(() -> new AbsentException(
                        "There is no student with the id %s.".formatted(student),
                        "The student %s is registered. Its page appears when the view has caught up; until then it is not found."
                                .formatted(student),
                        STUDENTS,
                        "Search for a student"));
    }

    /** The names of students by their ids, looked up with one query. One that the view does not have is absent. */
    Map<String, String> names(Stream<String> ids) {
        Set<String> some = ids.collect(Collectors.toSet());
        return some.isEmpty()
                ? Map.of()
                : reads.read(students, tables -> StudentsView.among(tables, some)).found().stream()
                        .map(Current::view)
                        .collect(Collectors.toMap(StudentView::id, StudentView::name));
    }

    /**
     * The names of the actors of overrides. An actor that is unknown is absent.
     *
     * @param key of a row in the result
     */
    static Map<String, String> overriddenBy(Roster roster, Function<RosterEntry, String> key) {
        Map<String, String> names = new HashMap<>();
        for (RosterEntry row : roster.enrollments()) {
            EnrollmentOverride override = row.override();
            if (override != null && override.actor() != null) {
                names.put(key.apply(row), CourseHistory.name(override.actor()));
            }
        }
        return names;
    }

    /** Courses by their ids, looked up with one query. One that the view does not have is absent. */
    Map<String, CourseView> courses(Stream<String> ids) {
        Set<String> some = ids.collect(Collectors.toSet());
        return some.isEmpty()
                ? Map.of()
                : reads.read(courses, tables -> CoursesView.among(tables, some)).found().stream()
                        .map(Current::view)
                        .collect(Collectors.toMap(CourseView::id, Function.identity()));
    }

    /** The titles of courses by their ids, as {@link #courses}. */
    Map<String, String> titles(Stream<String> ids) {
        return courses(ids).values().stream().collect(Collectors.toMap(CourseView::id, CourseView::title));
    }
}
