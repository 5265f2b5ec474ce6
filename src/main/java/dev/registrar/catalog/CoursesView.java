package dev.registrar.catalog;

import static dev.registrar.enrollment.EnrollmentEventCodec.COURSE_CAPACITY_CHANGED;
import static dev.registrar.enrollment.EnrollmentEventCodec.COURSE_CLOSED;
import static dev.registrar.enrollment.EnrollmentEventCodec.COURSE_DEFINED;
import static dev.registrar.enrollment.EnrollmentEventCodec.COURSE_PREREQUISITES_CHANGED;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_DROPPED_COURSE;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_ENROLLED_IN_COURSE;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_JOINED_WAITING_LIST;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_LEFT_WAITING_LIST;

import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.CoursePrerequisitesChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEvent.StudentTierChanged;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** All courses with their seats and prerequisites: searched, sorted and counted. */
public record CoursesView(EnrollmentEventCodec codec) implements View {

    /** The order of a list of courses; equal courses are in the order of their ids. */
    public enum Sort {
        /** From A to Z. */
        TITLE("lower(title)", "asc"),
        /** The most free seats first. */
        SEATS("available", "desc"),
        /** The most students, enrolled and waiting, first. */
        POPULARITY("enrolled + waiting", "desc");

        private final String key;
        private final String direction;

        Sort(String key, String direction) {
            this.key = key;
            this.direction = direction;
        }
    }

    /** The courses that a list includes. */
    public enum Filter {
        ALL("true"),
        /** Not closed, with a free seat, and without a waiting list. */
        OPEN("not closed and available > 0 and waiting = 0"),
        /** Without a free seat. */
        FULL("available = 0");

        private final String condition;

        Filter(String condition) {
            this.condition = condition;
        }
    }

    /**
     * The course after which a page begins.
     *
     * @param key the course's value in the column by which the list is sorted
     * @param id of the course
     */
    public record Cursor(String key, String id) {}

    /**
     * A page of courses in their order.
     *
     * @param next where the next page begins; empty on the last page
     */
    public record Page(List<CourseView> courses, Optional<Cursor> next) {}

    /**
     * The seats of all courses.
     *
     * @param full number of courses without a free seat, closed ones included
     * @param closed number of closed courses
     * @param capacity seats of all courses
     * @param available free seats in courses that are not closed
     * @param waiting places on waiting lists
     */
    public record Seats(
            long courses, long full, long closed, long capacity, long enrolled, long available, long waiting) {}

    @Override
    public String name() {
        return "courses";
    }

    @Override
    public int version() {
        return 3;
    }

    @Override
    public Query query() {
        return Query.of(QueryItem.types(
                COURSE_DEFINED,
                COURSE_CAPACITY_CHANGED,
                COURSE_PREREQUISITES_CHANGED,
                COURSE_CLOSED,
                STUDENT_ENROLLED_IN_COURSE,
                STUDENT_DROPPED_COURSE,
                STUDENT_JOINED_WAITING_LIST,
                STUDENT_LEFT_WAITING_LIST));
    }

    @Override
    public Optional<String> unreadable(SequencedEvent event) {
        return codec.unreadable(event.event());
    }

    @Override
    public void create(Tables tables) {
        tables.sql("""
                create table ${schema}.courses (
                    id text collate "C" not null,
                    title text not null,
                    capacity integer not null,
                    enrolled integer not null default 0,
                    waiting integer not null default 0,
                    available integer not null generated always as (greatest(0, capacity - enrolled)) stored,
                    closed boolean not null default false,
                    opens_at timestamptz,
                    closes_at timestamptz,
                    prerequisites text[] not null,
                    position bigint not null,
                    constraint courses_pk primary key (id)
                ) with (fillfactor = 50)""").update();
        tables.sql("""
                create table ${schema}.members (
                    course text collate "C" not null,
                    student text collate "C" not null,
                    waits boolean not null,
                    constraint members_pk primary key (course, student, waits)
                )""").update();
    }

    /* Half of each database page is kept free, so that an update of unindexed columns stays on the page. */
    @Override
    public void index(Tables tables) {
        tables.sql("create index if not exists courses_title on ${schema}.courses (lower(title), id)")
                .update();
        tables.sql("create index if not exists courses_available on ${schema}.courses (available desc, id)")
                .update();
        tables.sql("create index if not exists courses_popularity on ${schema}.courses ((enrolled + waiting) desc, id)")
                .update();
    }

    /**
     * A student who is enrolled in a course or waits for it. An event that changes nothing, such as the enrollment of
     * an enrolled student, must not change the numbers of a course.
     */
    private record Member(String course, String student, boolean waits) {}

    /** The changes of one course in a batch of events. */
    private static final class Change {
        @Nullable CourseDefined defined;

        @Nullable Integer capacity;

        @Nullable Prerequisites prerequisites;

        /** Whether each still belongs to the course after the batch. */
        final Map<Member, Boolean> members = new LinkedHashMap<>();

        boolean closed;
        long position;

        void member(CourseId course, StudentId student, boolean waits, boolean belongs) {
            members.put(new Member(course.value(), student.value(), waits), belongs);
        }
    }

    @Override
    public void apply(List<SequencedEvent> events, Tables tables) {
        Map<CourseId, Change> changes = new LinkedHashMap<>();
        for (SequencedEvent event : events) {
            EnrollmentEvent decoded = codec.decode(event.event());
            if (decoded instanceof CourseDefined again && changes.containsKey(again.course())) {
                // Earlier changes belong to an earlier course, or to no course.
                write(changes, tables);
                changes.clear();
            }
            switch (decoded) {
                case CourseDefined defined -> change(changes, defined.course(), event).defined = defined;
                case CourseCapacityChanged changed ->
                    change(changes, changed.course(), event).capacity =
                            changed.capacity().seats();
                case CoursePrerequisitesChanged changed ->
                    change(changes, changed.course(), event).prerequisites = changed.prerequisites();
                case CourseClosed closed -> change(changes, closed.course(), event).closed = true;
                case StudentEnrolledInCourse in ->
                    change(changes, in.course(), event).member(in.course(), in.student(), false, true);
                case StudentDroppedCourse out ->
                    change(changes, out.course(), event).member(out.course(), out.student(), false, false);
                case StudentJoinedWaitingList joined ->
                    change(changes, joined.course(), event).member(joined.course(), joined.student(), true, true);
                case StudentLeftWaitingList left ->
                    change(changes, left.course(), event).member(left.course(), left.student(), true, false);
                case StudentRegistered elsewhere -> {}
                case StudentTierChanged elsewhere -> {}
            }
        }
        write(changes, tables);
    }

    private static void write(Map<CourseId, Change> changes, Tables tables) {
        insert(changes.values(), tables);
        update(changes, tables);
    }

    private static Change change(Map<CourseId, Change> changes, CourseId course, SequencedEvent event) {
        Change change = changes.computeIfAbsent(course, none -> new Change());
        change.position = event.position().value();
        return change;
    }

    private static void insert(Iterable<Change> changes, Tables tables) {
        List<CourseDefined> defined = new ArrayList<>();
        for (Change change : changes) {
            if (change.defined != null) {
                defined.add(change.defined);
            }
        }
        if (defined.isEmpty()) {
            return;
        }
        tables.sql("""
                        insert into ${schema}.courses
                            (id, title, capacity, enrolled, waiting, opens_at, closes_at, prerequisites, position)
                        select given.id, given.title, given.capacity,
                            (select count(*) from ${schema}.members where course = given.id and not waits),
                            (select count(*) from ${schema}.members where course = given.id and waits),
                            given.opens_at, given.closes_at, string_to_array(given.prerequisites, ' '), 0
                        from unnest(
                            ?::text[], ?::text[], ?::integer[], ?::timestamptz[], ?::timestamptz[], ?::text[])
                            given (id, title, capacity, opens_at, closes_at, prerequisites)
                        on conflict (id) do update
                        set title = excluded.title,
                            capacity = excluded.capacity,
                            opens_at = excluded.opens_at,
                            closes_at = excluded.closes_at,
                            prerequisites = excluded.prerequisites""")
                .param(texts(defined, course -> course.course().value()))
                .param(texts(defined, course -> Shown.text(course.title().value())))
                .param(defined.stream()
                        .mapToInt(course -> course.capacity().seats())
                        .toArray())
                .param(texts(
                        defined, course -> text(Shown.instant(course.window().opensAt()))))
                .param(texts(
                        defined, course -> text(Shown.instant(course.window().closesAt()))))
                .param(texts(defined, course -> course.prerequisites().toString()))
                .update();
    }

    /*
     * The net change of the members tells how the numbers change. Other clients of the store may append events of
     * courses that were never defined: these change members, which count when the course is defined.
     */
    private static void update(Map<CourseId, Change> changes, Tables tables) {
        List<Change> values = List.copyOf(changes.values());
        List<Map.Entry<Member, Boolean>> members = values.stream()
                .flatMap(change -> change.members.entrySet().stream())
                .toList();
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
                                max(position) as position
                            from (
                                select id, capacity, 0 as enrolled, 0 as waiting, closed, prerequisites, position
                                from unnest(?::text[], ?::integer[], ?::boolean[], ?::text[], ?::bigint[])
                                    given (id, capacity, closed, prerequisites, position)
                                union all
                                select course, null, (not waits)::integer, waits::integer, false, null, 0
                                from added
                                union all
                                select course, null, -(not waits)::integer, -waits::integer, false, null, 0
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
                            position = given.position
                        from given
                        where course.id = given.id""")
                .param(members.stream().map(member -> member.getKey().course()).toArray(String[]::new))
                .param(members.stream().map(member -> member.getKey().student()).toArray(String[]::new))
                .param(members.stream().map(member -> member.getKey().waits()).toArray(Boolean[]::new))
                .param(members.stream().map(Map.Entry::getValue).toArray(Boolean[]::new))
                .param(changes.keySet().stream().map(CourseId::value).toArray(String[]::new))
                .param(values.stream().map(change -> change.capacity).toArray(Integer[]::new))
                .param(values.stream().map(change -> change.closed).toArray(Boolean[]::new))
                .param(values.stream()
                        .map(change -> change.prerequisites == null ? null : change.prerequisites.toString())
                        .toArray(String[]::new))
                .param(values.stream().mapToLong(change -> change.position).toArray())
                .update();
    }

    private static String[] texts(List<CourseDefined> courses, Function<CourseDefined, @Nullable String> text) {
        return courses.stream().map(text).toArray(String[]::new);
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }

    /** The course; empty if it was never defined. */
    public static Optional<Current<CourseView>> find(Tables tables, CourseId course) {
        return among(tables, List.of(course.value())).stream().findFirst();
    }

    /** The courses with these ids that were defined, in no order. */
    public static List<Current<CourseView>> among(Tables tables, Collection<String> ids) {
        return tables.sql("""
                        select id, title, capacity, enrolled, waiting, closed, opens_at, closes_at, prerequisites,
                            position
                        from ${schema}.courses
                        where id = any(?::text[])""")
                .param(ids.toArray(String[]::new))
                .query((row, number) -> new Current<>(course(row), Position.of(row.getLong("position"))))
                .list();
    }

    /**
     * A page of courses.
     *
     * @param search text in the titles, not case-sensitive; empty for all courses
     * @param after the last course of the previous page; null for the first page
     * @param most maximum number of courses on the page
     */
    public static Page page(Tables tables, String search, Filter filter, Sort sort, @Nullable Cursor after, int most) {
        String behind = after == null
                ? ""
                : "and (%s %s ?::%s or (%s = ?::%s and id > ?))"
                        .formatted(
                                sort.key,
                                sort.direction.equals("asc") ? ">" : "<",
                                sort == Sort.TITLE ? "text" : "integer",
                                sort.key,
                                sort == Sort.TITLE ? "text" : "integer");
        var page = tables.sql("""
                        select id, title, capacity, enrolled, waiting, closed, opens_at, closes_at, prerequisites,
                            %s as key
                        from ${schema}.courses
                        where lower(title) like '%%' || lower(?) || '%%'
                        and %s
                        %s
                        order by %s %s, id
                        limit ?""".formatted(sort.key, filter.condition, behind, sort.key, sort.direction))
                .param(literally(search));
        if (after != null) {
            page = page.param(after.key()).param(after.key()).param(after.id());
        }
        List<Map.Entry<CourseView, String>> rows = page.param(most + 1)
                .query((row, number) -> Map.entry(course(row), row.getString("key")))
                .list();
        List<CourseView> courses =
                rows.stream().limit(most).map(Map.Entry::getKey).toList();
        return new Page(
                courses,
                rows.size() <= most
                        ? Optional.empty()
                        : Optional.of(new Cursor(
                                rows.get(most - 1).getValue(), courses.getLast().id())));
    }

    /**
     * Courses whose ids begin with a text, in the order of their ids.
     *
     * @param most maximum number of courses
     */
    public static List<CourseView> beginningWith(Tables tables, String beginning, int most) {
        return tables.sql("""
                        select id, title, capacity, enrolled, waiting, closed, opens_at, closes_at, prerequisites
                        from ${schema}.courses
                        where id >= ? and id < ? || chr(127)
                        order by id
                        limit ?""")
                .param(beginning)
                .param(beginning)
                .param(most)
                .query((row, number) -> course(row))
                .list();
    }

    /* Escapes the characters that have a meaning in a LIKE pattern. */
    private static String literally(String search) {
        return search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    }

    /** The seats of all courses. */
    public static Seats seats(Tables tables) {
        return tables.sql("""
                        select count(*), count(*) filter (where available = 0), count(*) filter (where closed),
                            coalesce(sum(capacity), 0), coalesce(sum(enrolled), 0),
                            coalesce(sum(available) filter (where not closed), 0), coalesce(sum(waiting), 0)
                        from ${schema}.courses""")
                .query((row, number) -> new Seats(
                        row.getLong(1),
                        row.getLong(2),
                        row.getLong(3),
                        row.getLong(4),
                        row.getLong(5),
                        row.getLong(6),
                        row.getLong(7)))
                .single();
    }

    private static CourseView course(ResultSet row) throws SQLException {
        return new CourseView(
                row.getString("id"),
                row.getString("title"),
                row.getInt("capacity"),
                row.getInt("enrolled"),
                row.getInt("waiting"),
                row.getBoolean("closed"),
                instant(row, "opens_at"),
                instant(row, "closes_at"),
                List.of((String[]) row.getArray("prerequisites").getArray()));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.withOffsetSameInstant(ZoneOffset.UTC).toInstant();
    }
}
