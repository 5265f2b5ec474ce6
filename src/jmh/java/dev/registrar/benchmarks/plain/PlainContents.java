package dev.registrar.benchmarks.plain;

import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Iterator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Brings the plain tables to the state that events have brought the service to. */
final class PlainContents {
    private static final int BATCH = 5_000;

    private static final String COURSE = """
            insert into plain.courses (id, title, capacity, opens_at, closes_at, prerequisites)
            values (?, ?, ?, ?::timestamptz, ?::timestamptz, ?)""";

    private static final String STUDENT = "insert into plain.students (id, name, email) values (?, ?, ?)";

    private static final String ENROLLMENT = "insert into plain.enrollments (course, student) values (?, ?)";

    private static final String COUNT = """
            update plain.courses
            set enrolled = counted.enrollments
            from (select course, count(*) as enrollments from plain.enrollments group by course) counted
            where id = counted.course
            and enrolled <> counted.enrollments;
            update plain.students
            set courses = counted.enrollments
            from (select student, count(*) as enrollments from plain.enrollments group by student) counted
            where id = counted.student
            and courses <> counted.enrollments""";

    private PlainContents() {}

    /**
     * Adds the result of events, in one transaction.
     *
     * @throws IllegalArgumentException if an event is none of a definition, a registration and an enrollment
     */
    static void add(Connection connection, Stream<? extends EnrollmentEvent> events) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement courses = connection.prepareStatement(COURSE);
                PreparedStatement students = connection.prepareStatement(STUDENT);
                PreparedStatement enrollments = connection.prepareStatement(ENROLLMENT);
                Statement count = connection.createStatement()) {
            Statement[] inOrder = {courses, students, enrollments};
            int waiting = 0;
            for (Iterator<? extends EnrollmentEvent> all = events.iterator(); all.hasNext(); ) {
                switch (all.next()) {
                    case CourseDefined defined ->
                        batch(
                                courses,
                                defined.course().value(),
                                defined.title().value(),
                                defined.capacity().seats(),
                                defined.window().opensAt(),
                                defined.window().closesAt(),
                                defined.prerequisites().ids().toArray(String[]::new));
                    case StudentRegistered registered ->
                        batch(
                                students,
                                registered.student().value(),
                                registered.name().value(),
                                registered.email().value());
                    case StudentEnrolledInCourse in ->
                        batch(enrollments, in.course().value(), in.student().value());
                    case EnrollmentEvent other ->
                        throw new IllegalArgumentException("The plain tables have no form of " + other);
                }
                if (++waiting == BATCH) {
                    execute(inOrder);
                    waiting = 0;
                }
            }
            execute(inOrder);
            count.execute(COUNT);
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    private static void batch(PreparedStatement statement, @Nullable Object... values) throws SQLException {
        for (int at = 0; at < values.length; at++) {
            Object value = values[at];
            statement.setObject(at + 1, value instanceof Instant time ? time.toString() : value);
        }
        statement.addBatch();
    }

    private static void execute(Statement... inOrder) throws SQLException {
        for (Statement statement : inOrder) {
            statement.executeBatch();
        }
    }
}
