package dev.registrar.catalog;

import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.CourseEvent;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.SearchForm;
import dev.registrar.enrollment.WeeklyTimes;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.SearchedTables;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All courses with their seats and prerequisites: searched, sorted and counted. */
public record CoursesView(EnrollmentEventCodec codec) implements View {

    private static final String COLUMNS =
            "id, title, capacity, enrolled, waiting, closed, opens_at, closes_at, prerequisites, times";

    /** The order of a list of courses; equal courses are in the order of their ids. */
    public enum Sort {
        /** From A to Z. */
        TITLE("form", ">", "asc", "text"),
        /** The most free seats first. */
        SEATS("available", "<", "desc", "integer"),
        /** The most students, enrolled and waiting, first. */
        POPULARITY("enrolled + waiting", "<", "desc", "integer");

        private final String key;
        private final String behind;
        private final String direction;
        private final String type;

        Sort(String key, String behind, String direction, String type) {
            this.key = key;
            this.behind = behind;
            this.direction = direction;
            this.type = type;
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
        return 6;
    }

    @Override
    public Query query() {
        return Query.of(EnrollmentEventCodec.types(CourseEvent.class));
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
                    times text not null default '',
                    position bigint not null,
                    constraint courses_pk primary key (id)
                ) with (fillfactor = 50)""").update();
        // Apart from the numbers, which change far more often: each change of a course adds to all indexes of its
        // table.
        tables.sql("""
                create table ${schema}.titles (
                    id text collate "C" not null,
                    form text not null,
                    constraint titles_pk primary key (id)
                )""").update();
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
        tables.sql("create index if not exists titles_form on ${schema}.titles (form, id)")
                .update();
        Trigrams.index(tables, "titles", "form");
        tables.sql("create index if not exists courses_available on ${schema}.courses (available desc, id)")
                .update();
        tables.sql("create index if not exists courses_popularity on ${schema}.courses ((enrolled + waiting) desc, id)")
                .update();
    }

    @Override
    public void apply(List<SequencedEvent> events, Tables tables) {
        CourseChanges changes = new CourseChanges();
        for (SequencedEvent event : events) {
            CourseEvent decoded = (CourseEvent) codec.decode(event.event());
            if (decoded instanceof CourseDefined again && changes.concern(again.course())) {
                // Earlier changes belong to an earlier course, or to no course.
                changes.write(tables);
                changes = new CourseChanges();
            }
            changes.add(decoded, event.position());
        }
        changes.write(tables);
    }

    /** The course; empty if it was never defined. */
    public static Optional<Current<CourseView>> find(Tables tables, CourseId course) {
        return among(tables, List.of(course.value())).stream().findFirst();
    }

    /** The courses with these ids that were defined, in no order. */
    public static List<Current<CourseView>> among(Tables tables, Collection<String> ids) {
        return tables.sql("""
                        select id, title, capacity, enrolled, waiting, closed, opens_at, closes_at, prerequisites,
                            times, position
                        from ${schema}.courses
                        where id = any(?::text[])""")
                .param(ids.toArray(String[]::new))
                .query((row, number) -> new Current<>(course(row), Position.of(row.getLong("position"))))
                .list();
    }

    /** The ids of those courses among some whose times overlap with others. */
    static Set<String> overlapping(Tables tables, WeeklyTimes times, Collection<String> ids) {
        return times(tables, ids).entrySet().stream()
                .filter(each -> each.getValue().overlaps(times))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** The times of those courses among some that have times, by their ids in their order. */
    static SortedMap<String, WeeklyTimes> times(Tables tables, Collection<String> ids) {
        SortedMap<String, WeeklyTimes> times = new TreeMap<>();
        tables.sql("""
                        select id, times
                        from ${schema}.courses
                        where id = any(?::text[])
                        and times <> ''""").param(ids.toArray(String[]::new)).query(row -> {
            times.put(row.getString("id"), WeeklyTimes.of(row.getString("times")));
        });
        return times;
    }

    /**
     * A page of courses.
     *
     * @param search text in the titles, compared by its {@link SearchForm}; empty for all courses
     * @param after the last course of the previous page; null for the first page
     * @param most maximum number of courses on the page
     */
    public static Page page(
            SearchedTables searched, String search, Filter filter, Sort sort, @Nullable Cursor after, int most) {
        String form = SearchForm.of(search);
        Tables tables = form.isEmpty() && filter == Filter.ALL ? searched.inOrderOfIndex() : searched;
        var page = tables.sql(pageQuery(form, filter, sort, after != null, most + 1));
        if (!form.isEmpty()) {
            page = page.param("%" + literally(form) + "%");
        }
        if (after != null) {
            page = page.param(after.key()).param(after.key()).param(after.id());
        }
        List<Map.Entry<CourseView, String>> rows = page.query(
                        (row, number) -> Map.entry(course(row), row.getString("key")))
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

    /*
     * The planner knows the text. For a rare one it takes the index of trigrams and sorts what it finds; for a frequent
     * one, or one of less than three letters, it follows the index of the order until the page is full. If the titles
     * alone decide, only the courses of the page are looked up. The limit is in the text: the server plans for a tenth
     * of the rows where it does not know the limit, so it would plan each first page again.
     */
    static String pageQuery(String form, Filter filter, Sort sort, boolean isNext, int limit) {
        boolean isOfTitles = sort == Sort.TITLE && filter == Filter.ALL;
        String page = """
                select %7$s, %1$s as key
                from %2$s
                where %3$s
                %4$s
                %5$s
                order by %1$s %6$s, id
                limit %8$s""".formatted(
                        sort.key,
                        isOfTitles
                                ? "${schema}.titles"
                                : form.isEmpty() && sort != Sort.TITLE
                                        ? "${schema}.courses"
                                        : "${schema}.courses join ${schema}.titles using (id)",
                        filter.condition,
                        form.isEmpty() ? "" : "and form like ?",
                        isNext
                                ? "and %1$s %2$s= ?::%3$s and (%1$s %2$s ?::%3$s or id > ?)"
                                        .formatted(sort.key, sort.behind, sort.type)
                                : "",
                        sort.direction,
                        isOfTitles ? "id" : COLUMNS,
                        limit);
        return isOfTitles ? """
                select %s, key
                from (%s) page
                join ${schema}.courses using (id)
                order by key, id""".formatted(COLUMNS, page) : page;
    }

    /**
     * Courses whose ids begin with a text, in the order of their ids.
     *
     * @param most maximum number of courses
     */
    public static List<CourseView> beginningWith(Tables tables, String beginning, int most) {
        return tables.sql("""
                        select id, title, capacity, enrolled, waiting, closed, opens_at, closes_at, prerequisites,
                            times
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
    static String literally(String search) {
        return search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    }

    /** Whether a course was ever defined. */
    public static boolean hasCourses(Tables tables) {
        return tables.sql("select exists (select from ${schema}.courses)")
                .query(Boolean.class)
                .single();
    }

    /** The seats of all courses. */
    public static Seats seats(SearchedTables tables) {
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
                List.of((String[]) row.getArray("prerequisites").getArray()),
                WeeklyTimes.of(row.getString("times")));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.withOffsetSameInstant(ZoneOffset.UTC).toInstant();
    }
}
