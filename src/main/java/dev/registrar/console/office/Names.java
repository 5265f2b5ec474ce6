package dev.registrar.console.office;

import dev.registrar.catalog.CourseView;
import dev.registrar.catalog.CoursesView;
import dev.registrar.catalog.Current;
import dev.registrar.catalog.StudentView;
import dev.registrar.catalog.StudentsView;
import dev.registrar.console.ConsoleReads;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * The names of the students and the titles of the courses on a page, looked up with one query each. An id that a view
 * does not have, or not yet, is not in the answer.
 */
@Component
final class Names {
    /** Maximum number of ids that are looked up; a page has fewer. */
    private static final int MOST = 1_000;

    private final ConsoleReads reads;
    private final StudentsView students;
    private final CoursesView courses;

    Names(ConsoleReads reads, StudentsView students, CoursesView courses) {
        this.reads = reads;
        this.students = students;
        this.courses = courses;
    }

    /** The names of students by their ids. */
    Map<String, String> ofStudents(Collection<String> ids, HttpServletRequest request) {
        Set<String> some = some(ids);
        return some.isEmpty()
                ? Map.of()
                : reads.read(request, students, tables -> StudentsView.among(tables, some)).found().stream()
                        .map(Current::view)
                        .collect(Collectors.toMap(StudentView::id, StudentView::name));
    }

    /** The titles of courses by their ids. */
    Map<String, String> ofCourses(Collection<String> ids, HttpServletRequest request) {
        Set<String> some = some(ids);
        return some.isEmpty()
                ? Map.of()
                : reads.read(request, courses, tables -> CoursesView.among(tables, some)).found().stream()
                        .map(Current::view)
                        .collect(Collectors.toMap(CourseView::id, CourseView::title));
    }

    private static Set<String> some(Collection<String> ids) {
        return ids.stream().distinct().limit(MOST).collect(Collectors.toCollection(HashSet::new));
    }
}
