package dev.registrar.benchmarks.plain;

import dev.registrar.enrollment.CourseId;
import dev.registrar.http.problem.IdForm;
import dev.registrar.http.problem.Unknown;
import jakarta.validation.constraints.Pattern;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Looks up a course in the plain tables. The answer has the body of the service's own look-up. */
@RestController
@ConditionalOnBooleanProperty(PlainTables.ENABLED)
@RequestMapping(path = "/api/courses", headers = PlainTables.HEADER, produces = MediaType.APPLICATION_JSON_VALUE)
final class PlainCourses {
    private static final String COURSE = """
            select id, title, capacity, enrolled, waiting, closed, opens_at, closes_at, prerequisites
            from plain.courses
            where id = ?""";

    private final PlainTables tables;

    PlainCourses(PlainTables tables) {
        this.tables = tables;
    }

    /** A course as the service answers it. */
    record Course(
            String id,
            String title,
            int capacity,
            int enrolled,
            int available,
            int waiting,
            boolean full,
            boolean closed,
            @Nullable Instant opensAt,
            @Nullable Instant closesAt,
            @Nullable List<String> prerequisites) {

        static Course of(ResultSet row, int number) throws SQLException {
            int capacity = row.getInt("capacity");
            int enrolled = row.getInt("enrolled");
            List<String> prerequisites =
                    List.of((String[]) row.getArray("prerequisites").getArray());
            return new Course(
                    row.getString("id"),
                    row.getString("title"),
                    capacity,
                    enrolled,
                    Math.max(0, capacity - enrolled),
                    row.getInt("waiting"),
                    enrolled >= capacity,
                    row.getBoolean("closed"),
                    instant(row, "opens_at"),
                    instant(row, "closes_at"),
                    prerequisites.isEmpty() ? null : prerequisites);
        }

        private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
            OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
            return time == null ? null : time.toInstant();
        }
    }

    @GetMapping("/{courseId}")
    ResponseEntity<?> findCourse(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId) {
        return tables.jdbc
                .sql(COURSE)
                .param(courseId)
                .query(Course::of)
                .optional()
                .<ResponseEntity<?>>map(ResponseEntity::ok)
                .orElseGet(() -> Unknown.course(new CourseId(courseId)).response());
    }
}
