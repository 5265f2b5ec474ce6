package dev.registrar.http.download;

import dev.registrar.catalog.CourseView;
import dev.registrar.catalog.CoursesView;
import dev.registrar.catalog.CoursesView.Cursor;
import dev.registrar.catalog.CoursesView.Filter;
import dev.registrar.catalog.CoursesView.Sort;
import dev.registrar.catalog.Current;
import dev.registrar.catalog.RostersView;
import dev.registrar.catalog.RostersView.EnrollmentOverride;
import dev.registrar.catalog.RostersView.RosterEntry;
import dev.registrar.catalog.StudentView;
import dev.registrar.catalog.StudentsView;
import dev.registrar.enrollment.CourseId;
import dev.registrar.eventstore.Position;
import dev.registrar.http.download.CsvFile.Part;
import dev.registrar.projection.SearchedTables;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import dev.registrar.projection.ViewAt;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The list of courses, and the roster of a course, as CSV files. */
@Component
public final class CatalogFiles {
    /* The import reads the first seven, and leaves out the others. */
    private static final List<String> COURSE = List.of(
            "id",
            "title",
            "capacity",
            "opensAt",
            "closesAt",
            "prerequisites",
            "times",
            "enrolled",
            "waiting",
            "closed");

    private static final List<String> ENROLLMENT =
            List.of("courseId", "studentId", "name", "enrolledAt", "overrideReason", "overrideBy");

    private final CoursesView courses;
    private final RostersView rosters;
    private final StudentsView students;

    CatalogFiles(CoursesView courses, RostersView rosters, StudentsView students) {
        this.courses = courses;
        this.rosters = rosters;
        this.students = students;
    }

    /** Queries a view, and waits for the position that the caller's request names. */
    public interface Reads {
        <T> ViewAt<T> read(View view, Function<Tables, T> query);

        /** As {@link #read}, for a query that may look at many rows. */
        <T> ViewAt<T> search(View view, Function<SearchedTables, T> query);

        /** The same without a replica, so that no read is behind the one before it. */
        Reads ofPrimary();
    }

    /** Sends all courses that a list has, in its order. */
    public void sendCourses(
            String search, Filter filter, Sort sort, boolean forSpreadsheets, Reads views, HttpServletResponse response)
            throws IOException {
        ReadsOfFile reads = new ReadsOfFile(views);
        Function<@Nullable Cursor, ViewAt<Part<Cursor>>> read = after -> reads.search(courses, tables -> {
            CoursesView.Page page = CoursesView.page(tables, search, filter, sort, after, CsvFile.ROWS);
            return new Part<>(page.courses().stream().map(CatalogFiles::course).toList(), page.next());
        });
        new CsvFile("courses.csv", forSpreadsheets).send(COURSE, read, response);
    }

    private static List<String> course(CourseView course) {
        return List.of(
                course.id(),
                course.title(),
                Integer.toString(course.capacity()),
                time(course.opensAt()),
                time(course.closesAt()),
                String.join(" ", course.prerequisites()),
                course.times().toString(),
                Integer.toString(course.enrolled()),
                Integer.toString(course.waiting()),
                Boolean.toString(course.closed()));
    }

    private static String time(@Nullable Instant time) {
        return Objects.toString(time, "");
    }

    /** Sends all students of a course, in the order of their enrollment. */
    public void sendRoster(CourseId course, boolean forSpreadsheets, Reads views, HttpServletResponse response)
            throws IOException {
        ReadsOfFile reads = new ReadsOfFile(views);
        Function<@Nullable Position, ViewAt<Part<Position>>> read = after -> {
            ViewAt<RostersView.Roster> page = reads.read(
                    rosters,
                    tables ->
                            RostersView.ofCourse(tables, course, after == null ? Position.START : after, CsvFile.ROWS));
            return new ViewAt<>(
                    new Part<>(
                            rows(page.found().enrollments(), reads),
                            page.found().next()),
                    page.position(),
                    page.incarnation(),
                    page.isRunning());
        };
        new CsvFile("roster-%s.csv".formatted(course), forSpreadsheets).send(ENROLLMENT, read, response);
    }

    /* A student whom the view of students does not have yet is without a name. */
    private List<List<String>> rows(List<RosterEntry> page, Reads reads) {
        Set<String> ids = page.stream().map(RosterEntry::studentId).collect(Collectors.toSet());
        Map<String, String> names = ids.isEmpty()
                ? Map.of()
                : reads.read(students, tables -> StudentsView.among(tables, ids)).found().stream()
                        .map(Current::view)
                        .collect(Collectors.toMap(StudentView::id, StudentView::name));
        return page.stream()
                .map(row -> List.of(
                        row.courseId(),
                        row.studentId(),
                        names.getOrDefault(row.studentId(), ""),
                        row.enrolledAt().toString(),
                        row.override() == null ? "" : row.override().reason(),
                        by(row.override())))
                .toList();
    }

    private static String by(@Nullable EnrollmentOverride override) {
        return override == null || override.actor() == null
                ? ""
                : override.actor().subject();
    }
}
