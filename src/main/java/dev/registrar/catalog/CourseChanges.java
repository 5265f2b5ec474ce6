package dev.registrar.catalog;

import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.CourseEvent;
import dev.registrar.enrollment.EnrollmentEvent.CoursePrerequisitesChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseTimesChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseTitleChanged;
import dev.registrar.enrollment.EnrollmentEvent.EnrollmentWindowChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledByOverride;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.enrollment.SearchForm;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.WeeklyTimes;
import dev.registrar.eventstore.Position;
import dev.registrar.projection.Tables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The changes of the courses in a batch of events, and how {@link CoursesView} writes them. */
final class CourseChanges {

    /**
     * A student who is enrolled in a course or waits for it. An event that changes nothing, such as the enrollment of
     * an enrolled student, must not change the numbers of a course.
     */
    private record Member(String course, String student, boolean waits) {}

    /** The changes of one course. */
    private static final class Change {
        @Nullable CourseDefined defined;

        @Nullable String title;

        @Nullable Integer capacity;

        @Nullable EnrollmentWindow window;

        @Nullable Prerequisites prerequisites;

        @Nullable WeeklyTimes times;

        boolean closed;
        long position;
    }

    private final Map<CourseId, Change> changes = new LinkedHashMap<>();

    /** Whether each still belongs to its course after the batch. */
    private final Map<Member, Boolean> members = new LinkedHashMap<>();

    /** Whether a course has a change. */
    boolean concern(CourseId course) {
        return changes.containsKey(course);
    }

    void add(CourseEvent event, Position position) {
        Change change = changes.computeIfAbsent(event.course(), none -> new Change());
        change.position = position.value();
        switch (event) {
            case CourseDefined defined -> change.defined = defined;
            case CourseTitleChanged changed ->
                change.title = Shown.text(changed.title().value());
            case EnrollmentWindowChanged changed -> change.window = changed.window();
            case CourseCapacityChanged changed ->
                change.capacity = changed.capacity().seats();
            case CoursePrerequisitesChanged changed -> change.prerequisites = changed.prerequisites();
            case CourseTimesChanged changed -> change.times = changed.times();
            case CourseClosed closed -> change.closed = true;
            case StudentEnrolledInCourse in -> members.put(member(in.course(), in.student(), false), true);
            case StudentEnrolledByOverride in -> members.put(member(in.course(), in.student(), false), true);
            case StudentDroppedCourse out -> members.put(member(out.course(), out.student(), false), false);
            case StudentJoinedWaitingList joined -> members.put(member(joined.course(), joined.student(), true), true);
            case StudentLeftWaitingList left -> members.put(member(left.course(), left.student(), true), false);
        }
    }

    private static Member member(CourseId course, StudentId student, boolean waits) {
        return new Member(course.value(), student.value(), waits);
    }

    void write(Tables tables) {
        List<CourseDefined> defined = new ArrayList<>();
        for (Change change : changes.values()) {
            if (change.defined != null) {
                defined.add(change.defined);
            }
        }
        if (!defined.isEmpty()) {
            insert(defined, tables);
        }
        Map<CourseId, Change> described = new LinkedHashMap<>();
        changes.forEach((course, change) -> {
            if (change.title != null || change.window != null) {
                described.put(course, change);
            }
        });
        if (!described.isEmpty()) {
            describe(described, tables);
        }
        update(tables);
    }

    private static void insert(List<CourseDefined> defined, Tables tables) {
        tables.sql("""
                        with given as (
                            select *
                            from unnest(
                                ?::text[], ?::text[], ?::text[], ?::integer[], ?::timestamptz[], ?::timestamptz[],
                                ?::text[], ?::text[])
                                given (id, title, form, capacity, opens_at, closes_at, prerequisites, times)
                        ),
                        titled as (
                            insert into ${schema}.titles (id, form)
                            select id, form
                            from given
                            on conflict (id) do update
                            set form = excluded.form
                        )
                        insert into ${schema}.courses
                            (id, title, capacity, enrolled, waiting, opens_at, closes_at, prerequisites, times, position)
                        select given.id, given.title, given.capacity,
                            (select count(*) from ${schema}.members where course = given.id and not waits),
                            (select count(*) from ${schema}.members where course = given.id and waits),
                            given.opens_at, given.closes_at, string_to_array(given.prerequisites, ' '),
                            given.times, 0
                        from given
                        on conflict (id) do update
                        set title = excluded.title,
                            capacity = excluded.capacity,
                            opens_at = excluded.opens_at,
                            closes_at = excluded.closes_at,
                            prerequisites = excluded.prerequisites,
                            times = excluded.times""")
                .param(texts(defined, course -> course.course().value()))
                .param(texts(defined, course -> Shown.text(course.title().value())))
                .param(texts(
                        defined,
                        course -> SearchForm.of(Shown.text(course.title().value()))))
                .param(defined.stream()
                        .mapToInt(course -> course.capacity().seats())
                        .toArray())
                .param(texts(defined, course -> opensAt(course.window())))
                .param(texts(defined, course -> closesAt(course.window())))
                .param(texts(defined, course -> course.prerequisites().toString()))
                .param(texts(defined, course -> course.times().toString()))
                .update();
    }

    /* Apart from the numbers, because few batches change a title or a window. */
    private static void describe(Map<CourseId, Change> described, Tables tables) {
        List<Change> values = List.copyOf(described.values());
        tables.sql("""
                        with given as (
                            select *
                            from unnest(
                                ?::text[], ?::text[], ?::text[], ?::boolean[], ?::timestamptz[], ?::timestamptz[])
                                given (id, title, form, has_window, opens_at, closes_at)
                        ),
                        titled as (
                            update ${schema}.titles
                            set form = given.form
                            from given
                            where titles.id = given.id
                            and given.form is not null
                        )
                        update ${schema}.courses course
                        set title = coalesce(given.title, course.title),
                            opens_at = case when given.has_window then given.opens_at else course.opens_at end,
                            closes_at = case when given.has_window then given.closes_at else course.closes_at end
                        from given
                        where course.id = given.id""")
                .param(described.keySet().stream().map(CourseId::value).toArray(String[]::new))
                .param(texts(values, change -> change.title))
                .param(texts(values, change -> change.title == null ? null : SearchForm.of(change.title)))
                .param(values.stream().map(change -> change.window != null).toArray(Boolean[]::new))
                .param(texts(values, change -> change.window == null ? null : opensAt(change.window)))
                .param(texts(values, change -> change.window == null ? null : closesAt(change.window)))
                .update();
    }

    /*
     * The net change of the members tells how the numbers change. Other clients of the store may append events of
     * courses that were never defined: these change members, which count when the course is defined. Members are added
     * in the order of their index: neighbours share its pages.
     */
    private void update(Tables tables) {
        List<Change> values = List.copyOf(changes.values());
        tables.sql("""
                        with member as (
                            select course, student, waits, belongs
                            from unnest(?::text[], ?::text[], ?::boolean[], ?::boolean[])
                                given (course, student, waits, belongs)
                        ),
                        added as (
                            insert into ${schema}.members (course, student, waits)
                            select course, student, waits
                            from member
                            where belongs
                            order by course, student
                            on conflict do nothing
                            returning course, waits
                        ),
                        removed as (
                            delete from ${schema}.members former
                            using member
                            where not member.belongs
                            and former.course = member.course
                            and former.student = member.student
                            and former.waits = member.waits
                            returning former.course, former.waits
                        ),
                        given as (
                            select id, max(capacity) as capacity, sum(enrolled) as enrolled, sum(waiting) as waiting,
                                bool_or(closed) as closed, max(prerequisites) as prerequisites,
                                max(times) as times, max(position) as position
                            from (
                                select id, capacity, 0 as enrolled, 0 as waiting, closed, prerequisites, times,
                                    position
                                from unnest(
                                    ?::text[], ?::integer[], ?::boolean[], ?::text[], ?::text[], ?::bigint[])
                                    given (id, capacity, closed, prerequisites, times, position)
                                union all
                                select course, null, (not waits)::integer, waits::integer, false, null, null, 0
                                from added
                                union all
                                select course, null, -(not waits)::integer, -waits::integer, false, null, null, 0
                                from removed
                            ) part
                            group by id
                        )
                        update ${schema}.courses course
                        set capacity = coalesce(given.capacity, course.capacity),
                            enrolled = course.enrolled + given.enrolled,
                            waiting = course.waiting + given.waiting,
                            closed = course.closed or given.closed,
                            prerequisites =
                                coalesce(string_to_array(given.prerequisites, ' '), course.prerequisites),
                            times = coalesce(given.times, course.times),
                            position = given.position
                        from given
                        where course.id = given.id""")
                .param(members.keySet().stream().map(Member::course).toArray(String[]::new))
                .param(members.keySet().stream().map(Member::student).toArray(String[]::new))
                .param(members.keySet().stream().map(Member::waits).toArray(Boolean[]::new))
                .param(members.values().toArray(Boolean[]::new))
                .param(changes.keySet().stream().map(CourseId::value).toArray(String[]::new))
                .param(values.stream().map(change -> change.capacity).toArray(Integer[]::new))
                .param(values.stream().map(change -> change.closed).toArray(Boolean[]::new))
                .param(values.stream()
                        .map(change -> change.prerequisites == null ? null : change.prerequisites.toString())
                        .toArray(String[]::new))
                .param(values.stream()
                        .map(change -> change.times == null ? null : change.times.toString())
                        .toArray(String[]::new))
                .param(values.stream().mapToLong(change -> change.position).toArray())
                .update();
    }

    private static <T> @Nullable String[] texts(List<T> values, Function<T, @Nullable String> text) {
        return values.stream().map(text).toArray(String[]::new);
    }

    private static @Nullable String opensAt(EnrollmentWindow window) {
        return text(Shown.instant(window.opensAt()));
    }

    private static @Nullable String closesAt(EnrollmentWindow window) {
        return text(Shown.instant(window.closesAt()));
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }
}
