package dev.registrar.catalog;

import dev.registrar.catalog.EnrollmentTable.Change;
import dev.registrar.catalog.EnrollmentTable.Pair;
import dev.registrar.catalog.OverridesTable.Begun;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent.RosterEvent;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledByOverride;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentErased;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A table of enrollments: the roster of a course, with the overrides, and the timetable of a student. */
public record RostersView(EnrollmentEventCodec codec) implements View {
    private static final EnrollmentTable ENROLLMENTS = new EnrollmentTable("enrollments");

    private static final int ALL = Integer.MAX_VALUE - 1;

    private static final String COMPANIONS = """
            select own.position, own.student,
                array(
                    select other.course
                    from ${schema}.enrollments other
                    where other.student = own.student
                    and other.course <> own.course
                    order by other.course
                ) as courses
            from ${schema}.enrollments own
            where own.course = ?
            """;

    /** One student in one course. */
    public record Enrollment(String courseId, String studentId, Instant enrolledAt) {}

    /**
     * Why and by whom a student was enrolled against the rules. For the course office only.
     *
     * @param actor null if unknown
     */
    public record EnrollmentOverride(
            String reason, @Nullable Actor actor) {}

    /**
     * A student on the roster of a course, with the override. For the course office only.
     *
     * @param override null for an ordinary enrollment
     */
    public record RosterEntry(
            String courseId,
            String studentId,
            Instant enrolledAt,
            @Nullable EnrollmentOverride override) {}

    /**
     * A page of the roster of a course, or of the courses of a student, in the order in which the enrollments began.
     *
     * @param next the position after which the next page begins; empty on the last page
     */
    public record Roster(List<RosterEntry> enrollments, Optional<Position> next) {}

    /**
     * A page of enrollments in the order in which they began.
     *
     * @param next the position after which the next page begins; empty on the last page
     */
    public record Page(List<Enrollment> enrollments, Optional<Position> next) {}

    @Override
    public String name() {
        return "enrollments";
    }

    @Override
    public int version() {
        return 4;
    }

    @Override
    public Query query() {
        return Query.of(EnrollmentEventCodec.types(RosterEvent.class));
    }

    @Override
    public Optional<String> unreadable(SequencedEvent event) {
        return codec.unreadable(event.event());
    }

    @Override
    public void create(Tables tables) {
        ENROLLMENTS.create(tables);
        OverridesTable.create(tables);
    }

    @Override
    public void index(Tables tables) {
        ENROLLMENTS.index(tables);
    }

    @Override
    public void apply(List<SequencedEvent> events, Tables tables) {
        List<Change> changes = new ArrayList<>();
        List<Begun> overrides = new ArrayList<>();
        Map<StudentId, Position> erased = new LinkedHashMap<>();
        for (SequencedEvent event : events) {
            switch ((RosterEvent) codec.decode(event.event())) {
                case StudentEnrolledInCourse in -> changes.add(new Change(in.course(), in.student(), true, event));
                case StudentEnrolledByOverride in -> {
                    changes.add(new Change(in.course(), in.student(), true, event));
                    overrides.add(new Begun(in, event));
                }
                case StudentDroppedCourse out -> changes.add(new Change(out.course(), out.student(), false, event));
                case StudentErased gone -> erased.put(gone.student(), event.position());
            }
        }
        ENROLLMENTS.apply(changes, tables);
        if (!overrides.isEmpty()) {
            OverridesTable.insert(overrides, tables);
        }
        if (!erased.isEmpty()) {
            OverridesTable.erase(erased, tables);
        }
    }

    /** A page of the students of a course. */
    public static Roster ofCourse(Tables tables, CourseId course, Position after, int most) {
        return roster(tables, "course", course.value(), after, most);
    }

    /** A page of the courses of a student, with the overrides. */
    public static Roster overridesOfStudent(Tables tables, StudentId student, Position after, int most) {
        return roster(tables, "student", student.value(), after, most);
    }

    private static Roster roster(Tables tables, String column, String id, Position after, int most) {
        List<Current<RosterEntry>> rows = tables.sql("""
                        select course, student, since, position, reason, actor
                        from ${schema}.enrollments
                        left join ${schema}.overrides using (course, student)
                        where %s = ?
                        and position > ?
                        order by position
                        limit ?""".formatted(column))
                .param(id)
                .param(after.value())
                .param(most + 1)
                .query((row, number) -> entry(row))
                .list();
        return new Roster(
                rows.stream().limit(most).map(Current::view).toList(),
                rows.size() <= most
                        ? Optional.empty()
                        : Optional.of(rows.get(most - 1).asOf()));
    }

    private static Current<RosterEntry> entry(ResultSet row) throws SQLException {
        Pair pair = EnrollmentTable.pair(row, 0);
        String reason = row.getString("reason");
        String actor = row.getString("actor");
        EnrollmentOverride override = reason == null
                ? null
                : new EnrollmentOverride(
                        reason, actor == null ? null : Actor.parse(actor).orElse(null));
        return new Current<>(
                new RosterEntry(pair.course(), pair.student(), pair.since(), override), Position.of(pair.position()));
    }

    /** All students of a course, in one page. */
    public static Roster ofCourse(Tables tables, CourseId course) {
        return ofCourse(tables, course, Position.START, ALL);
    }

    /** A page of the courses of a student. */
    public static Page ofStudent(Tables tables, StudentId student, Position after, int most) {
        return page(ENROLLMENTS.of(tables, "student", student.value(), after.value(), most + 1), most);
    }

    /** All courses of a student, in one page. */
    public static Page ofStudent(Tables tables, StudentId student) {
        return ofStudent(tables, student, Position.START, ALL);
    }

    /**
     * A student of a course, with the others.
     *
     * @param position of the enrollment in the course
     * @param courses the ids of the student's other courses, sorted
     */
    record Companion(Position position, String studentId, List<String> courses) {}

    /** The students of a course after a position, in the order in which their enrollments began. */
    static List<Companion> companions(Tables tables, CourseId course, Position after, int most) {
        return tables.sql(COMPANIONS + """
                        and own.position > ?
                        order by own.position
                        limit ?""")
                .param(course.value())
                .param(after.value())
                .param(most)
                .query((row, number) -> companion(row))
                .list();
    }

    /** Those of some students who are in a course. */
    static List<Companion> companions(Tables tables, CourseId course, Collection<String> students) {
        return tables.sql(COMPANIONS + "and own.student = any(?::text[])")
                .param(course.value())
                .param(students.toArray(String[]::new))
                .query((row, number) -> companion(row))
                .list();
    }

    private static Companion companion(ResultSet row) throws SQLException {
        return new Companion(Position.of(row.getLong("position")), row.getString("student"), List.of((String[])
                row.getArray("courses").getArray()));
    }

    /** Whether a student is enrolled in at least this number of courses. */
    public static boolean hasAtLeast(Tables tables, StudentId student, int number) {
        return ENROLLMENTS.hasAtLeast(tables, student, number);
    }

    /** The number of courses of each of some students; students without a course are left out. */
    public static Map<String, Integer> numbers(Tables tables, Collection<String> students) {
        return ENROLLMENTS.numbers(tables, students);
    }

    private static Page page(List<Pair> pairs, int most) {
        return new Page(
                pairs.stream().limit(most).map(RostersView::enrollment).toList(),
                pairs.size() <= most
                        ? Optional.empty()
                        : Optional.of(Position.of(pairs.get(most - 1).position())));
    }

    /** A student's current enrollment in a course; empty if there is none. */
    public static Optional<Current<Enrollment>> find(Tables tables, CourseId course, StudentId student) {
        return ENROLLMENTS
                .find(tables, course, student)
                .map(pair -> new Current<>(enrollment(pair), Position.of(pair.position())));
    }

    /** A student's current enrollments in some courses, in the order in which they began. */
    public static List<Enrollment> among(Tables tables, StudentId student, Collection<String> courses) {
        return ENROLLMENTS.among(tables, student, courses).stream()
                .map(RostersView::enrollment)
                .toList();
    }

    private static Enrollment enrollment(Pair pair) {
        return new Enrollment(pair.course(), pair.student(), pair.since());
    }
}
