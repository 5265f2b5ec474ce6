package dev.registrar.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.TwoRoles;
import dev.registrar.catalog.CoursesView.Filter;
import dev.registrar.catalog.CoursesView.Sort;
import dev.registrar.concurrent.Deadline;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.EmailAddress;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.SearchForm;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.StudentName;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.schema.StoreSchema;
import dev.registrar.projection.ProjectionOptions;
import dev.registrar.projection.ProjectionRunner;
import dev.registrar.projection.SearchedTables;
import dev.registrar.projection.View;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Searches in the views of a service with its own role, with and without PostgreSQL's extension pg_trgm. */
@ExtendWith(OutputCaptureExtension.class)
class SearchTest {
    private static final EnrollmentEventCodec CODEC = new EnrollmentEventCodec();
    private static final CoursesView COURSES = new CoursesView(CODEC);
    private static final StudentsView STUDENTS = new StudentsView(CODEC);

    private static final List<String> TITLES = List.of(
            "Caf\u00E9 culture",
            "Cafe\u0301 and bistro",
            "\uFF32\uFF45\uFF53\uFF45\uFF41\uFF52\uFF43\uFF48",
            "O\uFB03ce work",
            "Stra\u00DFenbau",
            "STRASSE and rail",
            "100%_\\",
            "1000 words",
            "\u0301\u0323",
            "\uD83D\uDE00 fun",
            "\u6570\u5B66\u5165\u9580",
            "\u039F\u0394\u039F\u03A3",
            "\uFDFA".repeat(CourseTitle.MAX_LENGTH));

    private static final List<String> TEXTS = List.of(
            "caf\u00E9",
            "CAFE\u0301",
            "cafe",
            "research",
            "\uFF4F\uFF46\uFF46\uFF49\uFF43\uFF45",
            "strasse",
            "stra\u00DFe",
            "%_\\",
            "100",
            "1",
            "seminar",
            "course 17",
            "\u0323\u0301",
            "\u200B",
            "\uD83D\uDE00",
            "\u5B66",
            "\u6570\u5B66\u5165",
            "\u03BF\u03B4\u03BF\u03C2",
            "\u0001\u001F",
            "x".repeat(10_000),
            "\uFDFA".repeat(5),
            "no such title");

    /** What the database has before the service starts. */
    enum Extension {
        CREATED_BY_THE_SERVICE(""),
        CREATED_ELSEWHERE(
                "create schema extensions; create extension pg_trgm schema extensions; grant usage on schema extensions to public"),
        NOT_USABLE("create schema extensions; create extension pg_trgm schema extensions"),
        NOT_CREATABLE("drop schema public");

        private final String preparation;

        Extension(String preparation) {
            this.preparation = preparation;
        }

        boolean isThere() {
            return this == CREATED_BY_THE_SERVICE || this == CREATED_ELSEWHERE;
        }
    }

    /** The views of a service. */
    private static final class Office implements AutoCloseable {
        private final TwoRoles roles = TwoRoles.create();
        private final PostgresEventStore store;
        private final HikariDataSource connections = new HikariDataSource();
        final ProjectionRunner runner;
        private Position last = Position.START;

        Office(Extension extension) throws SQLException {
            execute(extension.preparation);
            StoreSchema.migrate(roles.as(roles.owner()), "registrar");
            StoreSchema.grant(roles.as(roles.owner()), "registrar", roles.service());
            store = PostgresEventStore.open(roles.database().url(), roles.service(), "secret");
            connections.setDataSource(roles.as(roles.service()));
            runner = ProjectionRunner.builder(connections, store, List.of(COURSES, STUDENTS))
                    .options(ProjectionOptions.with(options -> {
                        options.longestWait = Duration.ofMinutes(1);
                        options.maxSearches = 1;
                    }))
                    .build();
            runner.start();
        }

        void append(EnrollmentEvent... events) {
            last = ((Appended) store.append(Append.of(List.of(events).stream()
                            .map(event -> CODEC.encode(event).event())
                            .toList())))
                    .last();
        }

        void define(int from, List<String> titles) {
            append(IntStream.range(0, titles.size())
                    .mapToObj(number -> new CourseDefined(
                            new CourseId("c-" + (from + number)),
                            new CourseTitle(titles.get(number)),
                            new Capacity(1 + number % 3),
                            EnrollmentWindow.ALWAYS))
                    .toArray(EnrollmentEvent[]::new));
        }

        <T> T search(Function<SearchedTables, T> query) {
            return runner.views().search(COURSES, last, query).found();
        }

        List<String> ids(String text, Sort sort, int most) {
            return ids(text, Filter.ALL, sort, most);
        }

        List<String> ids(String text, Filter filter, Sort sort, int most) {
            List<String> ids = new ArrayList<>();
            CoursesView.@Nullable Cursor next = null;
            do {
                CoursesView.@Nullable Cursor after = next;
                CoursesView.Page page = search(tables -> CoursesView.page(tables, text, filter, sort, after, most));
                page.courses().forEach(course -> ids.add(course.id()));
                next = page.next().orElse(null);
            } while (next != null);
            return ids;
        }

        List<String> students(String text) {
            return runner
                    .views()
                    .search(STUDENTS, last, tables -> StudentsView.page(tables, text, null, 10))
                    .found()
                    .students()
                    .stream()
                    .map(StudentView::id)
                    .toList();
        }

        String plan(String text) {
            String form = SearchForm.of(text);
            List<String> lines = search(
                    tables -> tables.sql("explain " + CoursesView.pageQuery(form, Filter.ALL, Sort.TITLE, false, 51))
                            .param("%" + CoursesView.literally(form) + "%")
                            .query(String.class)
                            .list());
            return String.join("\n", lines);
        }

        void execute(String sql) throws SQLException {
            try (Connection connection = roles.database().dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }

        String answer(String sql) throws SQLException {
            try (Connection connection = roles.database().dataSource().getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(sql)) {
                row.next();
                return row.getString(1);
            }
        }

        @Override
        public void close() {
            runner.close();
            store.close();
            connections.close();
            roles.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Extension.class)
    void a_search_finds_each_course_once_with_and_without_an_index(Extension extension) throws SQLException {
        try (Office office = new Office(extension)) {
            List<String> titles = new ArrayList<>(TITLES);
            for (int i = 0; i < 900; i++) {
                titles.add((i % 2 == 0 ? "Seminar " : "Course ") + i);
            }
            office.define(0, titles);

            List<String> forms = titles.stream().map(SearchForm::of).toList();
            for (String text : TEXTS) {
                String form = SearchForm.of(text);
                List<String> expected = IntStream.range(0, titles.size())
                        .filter(number -> forms.get(number).contains(form))
                        .mapToObj(number -> "c-" + number)
                        .toList();
                for (Sort sort : Sort.values()) {
                    List<String> found = office.ids(text, sort, 1_000);
                    assertThat(found).as(text).containsExactlyInAnyOrderElementsOf(expected);
                    assertThat(office.ids(text, sort, 200)).as(text).isEqualTo(found);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Extension.class)
    void an_index_finds_a_rare_text_where_the_extension_can_be_used(Extension extension, CapturedOutput log)
            throws SQLException {
        try (Office office = new Office(extension)) {
            for (int i = 0; i < 10; i++) {
                int hundred = i;
                office.define(
                        1_000 * i,
                        IntStream.range(0, 1_000)
                                .mapToObj(number -> "Course %s of many".formatted(1_000 * hundred + number))
                                .toList());
            }
            office.search(tables -> true);
            office.execute("vacuum analyze registrar_courses.titles");
            office.execute("vacuum analyze registrar_courses.courses");

            String plan = office.plan("course 8765");
            assertThat(plan.contains("titles_trigrams")).as(plan).isEqualTo(extension.isThere());
            assertThat(log)
                    .contains(
                            extension.isThere()
                                    ? "An index of trigrams (pg_trgm) finds texts in registrar_courses.titles"
                                    : "No index finds texts in registrar_courses.titles, so searches take longer");
            // These fill a page at once.
            assertThat(office.plan("course")).contains("titles_form").doesNotContain("titles_trigrams");
            assertThat(office.plan("1")).contains("titles_form").doesNotContain("titles_trigrams");

            office.runner.administration().rebuild("courses");
            await().until(() ->
                    office.runner.administration().status("courses").rebuild().isEmpty());
            assertThat(office.answer("select count(*) from pg_indexes where schemaname = 'registrar_courses'"
                            + " and indexname = 'titles_trigrams'"))
                    .isEqualTo(extension.isThere() ? "1" : "0");
        }
    }

    @Test
    void pages_in_the_order_of_titles_have_each_course_of_a_filter_once() throws SQLException {
        try (Office office = new Office(Extension.CREATED_BY_THE_SERVICE)) {
            List<String> titles = IntStream.range(0, 30)
                    .mapToObj(number -> (number % 2 == 0 ? "Equal" : "Other " + (9 - number % 10)))
                    .toList();
            office.define(0, titles);
            // A third of the courses has one seat.
            for (int number = 0; number < 30; number += 3) {
                office.append(new StudentEnrolledInCourse(new StudentId("ann"), new CourseId("c-" + number)));
            }

            for (String text : List.of("", "e", "equal")) {
                List<String> all = IntStream.range(0, 30)
                        .filter(number -> SearchForm.of(titles.get(number)).contains(text))
                        .boxed()
                        .sorted(Comparator.comparing((Integer number) -> SearchForm.of(titles.get(number)))
                                .thenComparing(number -> "c-" + number))
                        .map(number -> "c-" + number)
                        .toList();
                for (int most : List.of(1, 4, 100)) {
                    assertThat(office.ids(text, Filter.FULL, Sort.TITLE, most))
                            .isEqualTo(all.stream().filter(SearchTest::isFull).toList());
                    assertThat(office.ids(text, Filter.OPEN, Sort.TITLE, most))
                            .isEqualTo(all.stream()
                                    .filter(course -> !isFull(course))
                                    .toList());
                }
            }
        }
    }

    private static boolean isFull(String course) {
        return Integer.parseInt(course.substring("c-".length())) % 3 == 0;
    }

    @Test
    void lists_without_a_text_and_a_filter_are_answered_while_all_searches_are_in_use() throws SQLException {
        try (Office office = new Office(Extension.CREATED_BY_THE_SERVICE)) {
            office.define(0, List.of("Latin", "Greek"));
            office.append(student("ann", "Ann"));
            office.search(tables -> true);

            office.search(holding -> {
                CoursesView.seats(holding);
                for (Sort sort : Sort.values()) {
                    assertThat(office.ids("", sort, 1)).hasSize(2);
                    assertThat(office.ids("\u200B", sort, 100)).hasSize(2);
                    assertRefused(office, COURSES, tables -> CoursesView.page(tables, "l", Filter.ALL, sort, null, 1));
                    assertRefused(office, COURSES, tables -> CoursesView.page(tables, "", Filter.FULL, sort, null, 1));
                    assertRefused(office, COURSES, tables -> CoursesView.page(tables, "", Filter.OPEN, sort, null, 1));
                }
                assertRefused(office, COURSES, CoursesView::seats);
                assertThat(office.students("")).containsExactly("ann");
                assertRefused(office, STUDENTS, tables -> StudentsView.page(tables, "a", null, 1));
                return true;
            });
        }
    }

    private static void assertRefused(Office office, View view, Function<SearchedTables, ?> query) {
        assertThatThrownBy(() -> Deadline.within(
                        Duration.ofMillis(20), () -> office.runner.views().search(view, Position.START, query)))
                .isInstanceOf(StoreTimeoutException.class)
                .hasMessageContaining("(use: search)");
    }

    /* A connection plans the first five executions of a prepared statement, and further ones if that is cheaper. */
    @ParameterizedTest
    @EnumSource(Sort.class)
    void the_first_page_of_a_list_without_a_text_keeps_its_plan(Sort sort) throws SQLException {
        try (Office office = new Office(Extension.CREATED_BY_THE_SERVICE)) {
            office.search(tables -> true);
            office.execute("""
                    insert into registrar_courses.courses (id, title, capacity, prerequisites, position)
                    select 'c-' || number, 'Course ' || number, number % 50, '{}', 1
                    from generate_series(1, 20000) number;
                    insert into registrar_courses.titles (id, form)
                    select id, lower(title)
                    from registrar_courses.courses""");
            office.execute("vacuum analyze registrar_courses.titles");
            office.execute("vacuum analyze registrar_courses.courses");

            for (int i = 0; i < 40; i++) {
                assertThat(office.search(tables -> CoursesView.page(tables, "", Filter.ALL, sort, null, 10))
                                .courses())
                        .hasSize(10);
            }

            int kept = office.search(tables -> tables.inOrderOfIndex()
                    .sql("""
                            select sum(generic_plans)
                            from pg_prepared_statements
                            where statement like '%limit 11%'""")
                    .query((row, number) -> row.getInt(1))
                    .single());
            assertThat(kept).isGreaterThan(20);
        }
    }

    @Test
    void a_store_that_waits_for_another_one_that_creates_the_extension_has_the_index(CapturedOutput log)
            throws SQLException {
        try (Office office = new Office(Extension.CREATED_BY_THE_SERVICE)) {
            office.search(tables -> true);
            office.execute("drop extension pg_trgm cascade");
            try (Connection other = office.roles.database().dataSource().getConnection();
                    Statement statement = other.createStatement()) {
                other.setAutoCommit(false);
                statement.execute("create extension pg_trgm");
                office.runner.administration().rebuild("courses");
                await().until(() -> office.answer("""
                                select count(*)
                                from pg_stat_activity
                                where wait_event_type = 'Lock' and query like '%create extension%'""").equals("1"));
                other.commit();
            }
            await().until(() ->
                    office.runner.administration().status("courses").rebuild().isEmpty());

            assertThat(office.answer("select count(*) from pg_indexes where indexname = 'titles_trigrams'"))
                    .isEqualTo("1");
            assertThat(log).doesNotContain("pg_extension_name_index");
        }
    }

    /* All indexes of a table get an entry for each new version of a row. */
    @Test
    void an_enrollment_leaves_the_titles_alone() throws SQLException {
        String version = "select ctid || ' ' || xmin from registrar_courses.titles";
        try (Office office = new Office(Extension.CREATED_BY_THE_SERVICE)) {
            office.define(0, List.of("Latin"));
            office.search(tables -> true);
            String before = office.answer(version);

            office.append(new StudentEnrolledInCourse(new StudentId("ann"), new CourseId("c-0")));

            assertThat(office.ids("latin", Sort.TITLE, 10)).containsExactly("c-0");
            assertThat(office.answer("select enrolled from registrar_courses.courses"))
                    .isEqualTo("1");
            assertThat(office.answer(version)).isEqualTo(before);
        }
    }

    @Test
    void a_course_that_is_defined_again_is_found_by_its_last_title() throws SQLException {
        try (Office office = new Office(Extension.CREATED_BY_THE_SERVICE)) {
            office.define(0, List.of("Latin"));
            office.define(0, List.of("Greek"));

            assertThat(office.ids("latin", Sort.TITLE, 10)).isEmpty();
            assertThat(office.ids("greek", Sort.TITLE, 10)).containsExactly("c-0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"JOSE\u0301", "jos\u00E9 ", "\uFF4A\uFF4F", "", "jos\u00E9 w%_\\"})
    void students_are_found_by_the_beginning_of_a_name(String text) throws SQLException {
        try (Office office = new Office(Extension.NOT_CREATABLE)) {
            office.append(
                    student("one", "Jos\u00E9 W%_\\eiss"),
                    student("two", "JOSE\u0301 w%_\\ei\u00DF"),
                    student("three", "Ann Jos\u00E9"));

            assertThat(office.students(text)).containsSubsequence("one", "two").hasSize(text.isEmpty() ? 3 : 2);
        }
    }

    private static StudentRegistered student(String id, String name) {
        return new StudentRegistered(new StudentId(id), new StudentName(name), new EmailAddress(id + "@example.org"));
    }
}
