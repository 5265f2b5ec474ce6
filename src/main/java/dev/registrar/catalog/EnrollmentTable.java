package dev.registrar.catalog;

import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.Tables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A table of pairs of a student and a course, in the order in which they were added.
 *
 * @param table its name
 */
record EnrollmentTable(String table) {

    /** A pair that was added and not removed since. */
    record Pair(String course, String student, Instant since, long position) {}

    /** An event that adds or removes a pair. */
    record Change(CourseId course, StudentId student, boolean adds, SequencedEvent event) {}

    void create(Tables tables) {
        tables.sql("""
                create table ${schema}.%1$s (
                    course text collate "C" not null,
                    student text collate "C" not null,
                    since timestamptz not null,
                    position bigint not null,
                    constraint %1$s_pk primary key (course, student)
                )""".formatted(table)).update();
    }

    void index(Tables tables) {
        tables.sql("create unique index if not exists %1$s_course on ${schema}.%1$s (course, position)"
                        .formatted(table))
                .update();
        tables.sql("create unique index if not exists %1$s_student on ${schema}.%1$s (student, position)"
                        .formatted(table))
                .update();
    }

    /**
     * Writes the net result of changes, given in their order. A pair that is added again keeps its time and position,
     * and the removal of another pair changes nothing.
     */
    void apply(List<Change> changes, Tables tables) {
        Map<List<String>, Change> removed = new LinkedHashMap<>();
        Map<List<String>, Change> added = new LinkedHashMap<>();
        for (Change change : changes) {
            List<String> pair =
                    List.of(change.course().value(), change.student().value());
            if (change.adds()) {
                added.putIfAbsent(pair, change);
            } else {
                added.remove(pair);
                removed.put(pair, change);
            }
        }
        if (!removed.isEmpty()) {
            delete(List.copyOf(removed.values()), tables);
        }
        if (!added.isEmpty()) {
            insert(List.copyOf(added.values()), tables);
        }
    }

    private void delete(List<Change> removed, Tables tables) {
        tables.sql("""
                        delete from ${schema}.%s pair
                        using unnest(?::text[], ?::text[]) given (course, student)
                        where pair.course = given.course
                        and pair.student = given.student""".formatted(table))
                .param(courses(removed))
                .param(students(removed))
                .update();
    }

    private void insert(List<Change> added, Tables tables) {
        tables.sql("""
                        insert into ${schema}.%s (course, student, since, position)
                        select given.course, given.student, given.since, given.position
                        from unnest(?::text[], ?::text[], ?::timestamptz[], ?::bigint[])
                            given (course, student, since, position)
                        on conflict (course, student) do nothing""".formatted(table))
                .param(courses(added))
                .param(students(added))
                .param(added.stream()
                        .map(change -> change.event().recordedAt().toString())
                        .toArray(String[]::new))
                .param(added.stream()
                        .mapToLong(change -> change.event().position().value())
                        .toArray())
                .update();
    }

    private static String[] courses(List<Change> changes) {
        return changes.stream().map(change -> change.course().value()).toArray(String[]::new);
    }

    private static String[] students(List<Change> changes) {
        return changes.stream().map(change -> change.student().value()).toArray(String[]::new);
    }

    /**
     * The pairs of a course or of a student, in the order in which they were added.
     *
     * @param column {@code course} or {@code student}
     * @param after the position of the last pair before the page; 0 for none
     * @param most maximum number of pairs
     */
    List<Pair> of(Tables tables, String column, String id, long after, int most) {
        return tables.sql("""
                        select course, student, since, position
                        from ${schema}.%s
                        where %s = ?
                        and position > ?
                        order by position
                        limit ?""".formatted(table, column))
                .param(id)
                .param(after)
                .param(most)
                .query(EnrollmentTable::pair)
                .list();
    }

    /** The number of pairs of a course up to a position. */
    int upTo(Tables tables, CourseId course, long position) {
        return tables.sql("""
                        select count(*)
                        from ${schema}.%s
                        where course = ?
                        and position <= ?""".formatted(table))
                .param(course.value())
                .param(position)
                .query(Integer.class)
                .single();
    }

    /** Whether a student has at least this number of pairs. */
    boolean hasAtLeast(Tables tables, StudentId student, int number) {
        return tables.sql("""
                        select count(*)
                        from (select from ${schema}.%s where student = ? limit ?) pair""".formatted(table))
                        .param(student.value())
                        .param(number)
                        .query(Long.class)
                        .single()
                >= number;
    }

    /** The number of pairs of each of some students; students without one are left out. */
    Map<String, Integer> numbers(Tables tables, Collection<String> students) {
        Map<String, Integer> numbers = new HashMap<>();
        tables.sql("""
                        select student, count(*)
                        from ${schema}.%s
                        where student = any(?::text[])
                        group by student""".formatted(table)).param(students.toArray(String[]::new)).query(row -> {
            numbers.put(row.getString(1), row.getInt(2));
        });
        return numbers;
    }

    Optional<Pair> find(Tables tables, CourseId course, StudentId student) {
        return tables.sql("""
                        select course, student, since, position
                        from ${schema}.%s
                        where course = ?
                        and student = ?""".formatted(table))
                .param(course.value())
                .param(student.value())
                .query(EnrollmentTable::pair)
                .optional();
    }

    /** The pairs of a student and one of the courses, in the order in which they were added. */
    List<Pair> among(Tables tables, StudentId student, Collection<String> courses) {
        return tables.sql("""
                        select course, student, since, position
                        from ${schema}.%s
                        where course = any(?::text[])
                        and student = ?
                        order by position""".formatted(table))
                .param(courses.toArray(String[]::new))
                .param(student.value())
                .query(EnrollmentTable::pair)
                .list();
    }

    /**
     * A pair among the pairs of its course.
     *
     * @param number 1 for the pair that was added first
     * @param of number of pairs
     */
    record Numbered(Pair pair, int number, int of) {}

    /** As {@link #among}, with the number of each pair in its course. */
    List<Numbered> numbered(Tables tables, StudentId student, Collection<String> courses) {
        return tables.sql("""
                        select own.course, own.student, own.since, own.position,
                            count(*) filter (where line.position <= own.position) as number, count(*) as line
                        from ${schema}.%1$s own
                        join ${schema}.%1$s line on line.course = own.course
                        where own.course = any(?::text[])
                        and own.student = ?
                        group by own.course, own.student, own.since, own.position
                        order by own.position""".formatted(table))
                .param(courses.toArray(String[]::new))
                .param(student.value())
                .query((row, number) -> new Numbered(pair(row, number), row.getInt("number"), row.getInt("line")))
                .list();
    }

    static Pair pair(ResultSet row, int number) throws SQLException {
        return new Pair(
                row.getString("course"),
                row.getString("student"),
                row.getObject("since", OffsetDateTime.class).toInstant(),
                row.getLong("position"));
    }
}
