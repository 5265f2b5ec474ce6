package dev.registrar.projection;

import static dev.registrar.projection.Instances.DEFAULTS;
import static dev.registrar.projection.Instances.quick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.StoreTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.BadSqlGrammarException;

/** Searches have bounds of their own, and leave connections and their settings to look-ups. */
class SearchesTest extends ProjectionFixture {
    private static final Tally TALLY = new Tally("tally");
    private static final String SETTINGS = """
            select concat_ws(' ', current_setting('statement_timeout'), current_setting('plan_cache_mode'),
                current_setting('max_parallel_workers_per_gather'))""";

    private static String settings(Tables tables) {
        return tables.sql(SETTINGS).query(String.class).single();
    }

    @Test
    void a_search_waits_for_its_position_and_finds_rows() {
        ViewReader views = instances.start(DEFAULTS, TALLY).views();
        Position last = instances.count(3);

        ViewAt<List<Long>> found = views.search(TALLY, last, tables -> {
            assertThat(Tally.positions(tables)).hasSize(3);
            return Tally.positions(tables);
        });

        assertThat(found.found()).containsExactly(1L, 2L, 3L);
        assertThat(found.position()).isEqualTo(last);
        assertThat(views.search(TALLY, last, tables -> true).position()).isEqualTo(last);
    }

    @Test
    void while_as_many_as_may_run_a_further_one_is_rejected_and_a_look_up_is_not() {
        ViewReader views = instances
                .start(
                        quick(options -> {
                            options.maxSearches = 1;
                            options.longestSearch = Duration.ofMillis(1);
                        }),
                        TALLY)
                .views();
        instances.count(1);

        views.search(TALLY, Position.of(1), holding -> {
            assertThat(Tally.positions(holding)).containsExactly(1L);
            assertThatThrownBy(() -> views.search(TALLY, Position.START, Tally::positions))
                    .isInstanceOf(StoreTimeoutException.class)
                    .hasMessageContaining("(use: search)");
            assertThat(views.read(TALLY, Position.START, Tally::positions).found())
                    .containsExactly(1L);
            assertThat(views.search(TALLY, Position.START, tables -> Tally.positions(tables.inOrderOfIndex()))
                            .found())
                    .containsExactly(1L);
            return true;
        });
        assertThat(views.search(TALLY, Position.START, Tally::positions).found())
                .containsExactly(1L);
    }

    @Test
    void a_query_in_the_order_of_an_index_has_no_settings_of_a_search() {
        ViewReader views = instances.start(DEFAULTS, TALLY).views();

        assertThat(views.search(
                                TALLY,
                                Position.START,
                                tables -> List.of(settings(tables), settings(tables.inOrderOfIndex())))
                        .found())
                .containsExactly(
                        "2s force_custom_plan 0",
                        views.read(TALLY, Position.START, SearchesTest::settings)
                                .found());
    }

    @Test
    void its_parameters_may_have_names_or_numbers() {
        ViewReader views = instances.start(DEFAULTS, TALLY).views();
        Position last = instances.count(2);
        String above = "select position from ${schema}.tally where position > %s::bigint";

        assertThat(views.search(
                                TALLY,
                                last,
                                tables -> tables.sql(above.formatted(":position"))
                                        .param("position", 1)
                                        .query(Long.class)
                                        .list())
                        .found())
                .containsExactly(2L);
        assertThat(views.search(
                                TALLY,
                                last,
                                tables -> tables.sql(above.formatted("?"))
                                        .param(1, 1)
                                        .query(Long.class)
                                        .list())
                        .found())
                .containsExactly(2L);
    }

    @Test
    void the_server_ends_a_search_that_takes_too_long() {
        ViewReader views = instances
                .start(quick(options -> options.longestSearch = Duration.ofMillis(50)), TALLY)
                .views();

        assertThatThrownBy(() -> views.search(
                        TALLY,
                        Position.START,
                        tables -> tables.sql("select pg_sleep(60)::text")
                                .query(String.class)
                                .single()))
                .isInstanceOf(StoreTimeoutException.class);
    }

    @Test
    void the_deadline_of_the_caller_ends_a_search() {
        ViewReader views = instances.start(DEFAULTS, TALLY).views();

        assertThatThrownBy(() -> Deadline.within(
                        Duration.ofMillis(50),
                        () -> views.search(
                                TALLY,
                                Position.START,
                                tables -> tables.sql("select pg_sleep(60)::text")
                                        .query(String.class)
                                        .single())))
                .isInstanceOf(StoreTimeoutException.class);
    }

    @Test
    void its_settings_end_with_it() {
        ViewReader views = instances
                .start(quick(options -> options.longestSearch = Duration.ofSeconds(10)), TALLY)
                .views();
        String before =
                views.read(TALLY, Position.START, SearchesTest::settings).found();

        assertThat(views.search(TALLY, Position.START, SearchesTest::settings).found())
                .matches("\\d+ms force_custom_plan 0|\\d+s force_custom_plan 0");
        assertThat(views.read(TALLY, Position.START, SearchesTest::settings).found())
                .isEqualTo(before);
    }

    /* The server would keep one plan for all texts from the sixth execution of a prepared statement on. */
    @Test
    void each_search_has_a_plan_for_its_own_parameters() {
        ViewReader views = instances.start(DEFAULTS, TALLY).views();
        instances.count(1);
        AtomicInteger position = new AtomicInteger();

        // Each connection of the pool prepares the statement for itself, and counts for itself.
        await().until(
                        () -> views.search(TALLY, Position.of(1), tables -> {
                                    tables.sql("select position from ${schema}.tally where position > ?::bigint")
                                            .param(position.getAndIncrement())
                                            .query(Long.class)
                                            .list();
                                    return plans(tables);
                                })
                                .found(),
                        plans -> {
                            assertThat(plans.getLast()).as("generic plans").isZero();
                            return plans.getFirst() > 6;
                        });
    }

    /** The numbers of custom and of generic plans that this connection has made for the statement above. */
    private static List<Integer> plans(Tables tables) {
        return tables.sql("""
                        select coalesce(sum(custom_plans), 0), coalesce(sum(generic_plans), 0)
                        from pg_prepared_statements
                        where statement like '%tally where position > %'
                        and statement not like '%pg_prepared_statements%'""")
                .query((row, number) -> List.of(row.getInt(1), row.getInt(2)))
                .single();
    }

    @Test
    void a_query_that_older_tables_cannot_answer_fails_like_a_view_that_is_behind() {
        instances.start(DEFAULTS, TALLY);
        Tally newer = new Tally("tally", 2, event -> {});
        ViewReader views = instances
                .start(quick(options -> options.enabled = false), newer)
                .views();

        assertThat(views.read(newer, Position.START, Tally::positions).found()).isEmpty();
        assertThatThrownBy(() -> views.search(
                        newer,
                        Position.START,
                        tables -> tables.sql("select form from ${schema}.tally")
                                .query(String.class)
                                .list()))
                .isInstanceOf(ViewBehindException.class)
                .hasMessageContaining("have version 1 and this query needs 2")
                .hasMessageContaining("which an operator has to begin unless a rebuild is in progress");
        assertThatThrownBy(() -> views.read(
                        newer,
                        Position.START,
                        tables -> tables.sql("select no_function(position) from ${schema}.tally")
                                .query(String.class)
                                .list()))
                .isInstanceOf(BadSqlGrammarException.class);
        assertThatThrownBy(() -> views.search(
                        TALLY,
                        Position.START,
                        tables -> tables.sql("select form from ${schema}.tally")
                                .query(String.class)
                                .list()))
                .isInstanceOf(BadSqlGrammarException.class);
    }
}
