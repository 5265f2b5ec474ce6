package dev.registrar.benchmarks.plain;

import dev.registrar.catalog.RostersView.Enrollment;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollStudent.Refused;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.Tier;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.http.admission.IdempotencyKeyHeader;
import dev.registrar.http.problem.IdForm;
import dev.registrar.http.problem.Problem;
import dev.registrar.http.problem.Unknown;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.constraints.Pattern;
import java.net.URI;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.TransactionStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Enrolls a student in a course in the plain tables, by the rules of {@link dev.registrar.enrollment.EnrollStudent}. An
 * enrollment is two statements and a commit; a refusal is two statements and a rollback. A request with an idempotency
 * key needs one more.
 */
@RestController
@ConditionalOnBooleanProperty(PlainTables.ENABLED)
@RequestMapping(path = "/api/courses", headers = PlainTables.HEADER, produces = MediaType.APPLICATION_JSON_VALUE)
final class PlainEnrollments {
    /*
     * What every rule but three needs is in the two locked rows, so the first statement reads and locks them at once.
     * Each transaction locks one course and then one student. So no two wait for each other. The isolation is read
     * committed: after it has waited for a lock, the statement sees the newest version of the row. It sees no newer
     * rows of other tables. Therefore a student's enrollments are read by a statement of their own.
     */
    private static final String LOCK = """
            select course.capacity, course.enrolled, course.waiting, course.closed,
                coalesce(course.opens_at <= now(), true) and coalesce(now() < course.closes_at, true) as open,
                course.prerequisites <> '{}' as has_prerequisites, student.courses, student.tier
            from plain.courses course
            cross join plain.students student
            where course.id = ?
            and student.id = ?
            for update""";

    /* Changes nothing if the student is enrolled already. */
    private static final String ENROLL = """
            with added as (
                insert into plain.enrollments (course, student)
                values (?, ?)
                on conflict do nothing
                returning course, student
            ), seat as (
                update plain.courses
                set enrolled = enrolled + 1
                from added
                where id = added.course
            )
            update plain.students
            set courses = courses + 1
            from added
            where id = added.student""";

    private static final String ENROLLMENT = """
            select course, student, enrolled_at
            from plain.enrollments
            where course = ?
            and student = ?""";

    private static final String LACKS_PREREQUISITE = """
            select exists (
                select from plain.courses course
                cross join unnest(course.prerequisites) required
                where course.id = ?
                and not exists (
                    select from plain.enrollments
                    where enrollments.course = required
                    and enrollments.student = ?))""";

    private static final String COURSE_EXISTS = "select exists (select from plain.courses where id = ?)";

    private static final String USE_KEY = """
            insert into plain.idempotency_keys (key, fingerprint)
            values (?, ?)
            on conflict do nothing""";

    private static final String FINGERPRINT = "select fingerprint from plain.idempotency_keys where key = ?";

    private final PlainTables tables;
    private final int limit;

    PlainEnrollments(PlainTables tables, EnrollmentSettings settings) {
        this.tables = tables;
        this.limit = settings.coursesPerStudent();
    }

    /** What the locked rows say. */
    private record Locked(
            int capacity,
            int enrolled,
            int waiting,
            boolean closed,
            boolean open,
            boolean hasPrerequisites,
            int courses,
            @Nullable String tier) {

        static Locked of(ResultSet row, int number) throws SQLException {
            return new Locked(
                    row.getInt("capacity"),
                    row.getInt("enrolled"),
                    row.getInt("waiting"),
                    row.getBoolean("closed"),
                    row.getBoolean("open"),
                    row.getBoolean("has_prerequisites"),
                    row.getInt("courses"),
                    row.getString("tier"));
        }

        boolean isAtLimit(int limitWithoutTier) {
            return courses >= (tier == null ? limitWithoutTier : Tier.of(tier).courses());
        }
    }

    @PutMapping("/{courseId}/students/{studentId}")
    ResponseEntity<?> enrollStudent(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId,
            @PathVariable @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) String studentId,
            HttpServletRequest request) {
        CourseId course = new CourseId(courseId);
        StudentId student = new StudentId(studentId);
        Unknown.student(student).checkCaller();
        IdempotencyKey key = IdempotencyKeyHeader.key(request);
        return tables.transactions.execute(transaction -> {
            if (key != null && isRepeated(key)) {
                return created(course, student);
            }
            return enroll(course, student, transaction);
        });
    }

    private boolean isRepeated(IdempotencyKey key) {
        if (tables.jdbc.sql(USE_KEY).params(key.value(), key.fingerprint()).update() == 1) {
            return false;
        }
        String used = tables.jdbc
                .sql(FINGERPRINT)
                .param(key.value())
                .query(String.class)
                .single();
        if (!used.equals(key.fingerprint())) {
            throw new IdempotencyKeyReusedException(key);
        }
        return true;
    }

    /* Only an enrollment uses the key, so every other outcome is rolled back. */
    private ResponseEntity<?> enroll(CourseId course, StudentId student, TransactionStatus transaction) {
        Optional<Locked> locked = tables.jdbc
                .sql(LOCK)
                .params(course.value(), student.value())
                .query(Locked::of)
                .optional();
        Optional<Refused> refusal =
                locked.isEmpty() ? Optional.of(unknown(course)) : refusal(locked.get(), course, student);
        if (refusal.isEmpty()
                && tables.jdbc
                                .sql(ENROLL)
                                .params(course.value(), student.value())
                                .update()
                        == 1) {
            return created(course, student);
        }
        transaction.setRollbackOnly();
        Optional<Enrollment> earlier = enrollment(course, student);
        return earlier.isPresent() ? ResponseEntity.ok(earlier.get()) : refused(course, student, refusal.orElseThrow());
    }

    private Refused unknown(CourseId course) {
        boolean exists = tables.jdbc
                .sql(COURSE_EXISTS)
                .param(course.value())
                .query(Boolean.class)
                .single();
        return exists ? Refused.STUDENT_UNKNOWN : Refused.COURSE_UNKNOWN;
    }

    private Optional<Refused> refusal(Locked locked, CourseId course, StudentId student) {
        if (locked.closed()) {
            return Optional.of(Refused.COURSE_CLOSED);
        }
        if (!locked.open()) {
            return Optional.of(Refused.OUTSIDE_ENROLLMENT_WINDOW);
        }
        if (locked.hasPrerequisites() && lacksPrerequisite(course, student)) {
            return Optional.of(Refused.PREREQUISITE_MISSING);
        }
        if (locked.waiting() > 0) {
            return Optional.of(Refused.WAITING_LIST_NOT_EMPTY);
        }
        if (locked.enrolled() >= locked.capacity()) {
            return Optional.of(Refused.COURSE_FULL);
        }
        return locked.isAtLimit(limit) ? Optional.of(Refused.STUDENT_AT_LIMIT) : Optional.empty();
    }

    private boolean lacksPrerequisite(CourseId course, StudentId student) {
        return tables.jdbc
                .sql(LACKS_PREREQUISITE)
                .params(course.value(), student.value())
                .query(Boolean.class)
                .single();
    }

    private Optional<Enrollment> enrollment(CourseId course, StudentId student) {
        return tables.jdbc
                .sql(ENROLLMENT)
                .params(course.value(), student.value())
                .query((row, number) -> new Enrollment(
                        row.getString("course"),
                        row.getString("student"),
                        row.getObject("enrolled_at", OffsetDateTime.class).toInstant()))
                .optional();
    }

    private static ResponseEntity<?> created(CourseId course, StudentId student) {
        return ResponseEntity.created(URI.create("/api/courses/%s/students/%s".formatted(course, student)))
                .build();
    }

    private static ResponseEntity<?> refused(CourseId course, StudentId student, Refused refusal) {
        return Problem.response(Problem.of(
                refusal.isAboutUnknown() ? HttpStatus.NOT_FOUND : HttpStatus.CONFLICT,
                refusal.code(),
                "Student %s is not enrolled in course %s".formatted(student, course)));
    }
}
