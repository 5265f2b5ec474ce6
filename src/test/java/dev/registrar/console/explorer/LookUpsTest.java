package dev.registrar.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.registrar.console.explorer.EventPages.EventPage;
import dev.registrar.console.explorer.EventPages.Range;
import dev.registrar.console.explorer.StoreNames.NameCount;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Names and pages, as people who explore a store look them up. */
class LookUpsTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int EVENTS = 40_000;

    private static StoreDatabase database;
    private static StoreNames names;
    private static EventPages pages;

    @BeforeAll
    static void fill() {
        database = new StoreDatabase();
        PostgresEventStore store = database.newStore();
        for (int batch = 1; batch <= EVENTS; batch += 1_000) {
            store.append(IntStream.range(batch, batch + 1_000)
                    .mapToObj(LookUpsTest::event)
                    .toList());
        }
        names = new StoreNames(store, database.database().dataSource(), StoreDatabase.defaultSettings());
        pages = new EventPages(new ExplorerReads(store));
    }

    @AfterAll
    static void close() {
        database.close();
    }

    /* Each event is even or odd, none is both; the 10th event has both of the tags that are otherwise never together. */
    private static Event event(int position) {
        List<String> tags = new ArrayList<>(List.of("student:" + position % 300, position % 2 == 0 ? "even" : "odd"));
        if (position == 10) {
            tags.add("odd");
        }
        if (position == 20) {
            tags.addAll(List.of("%_", "größe:1", "größe:2", "\uD83C\uDF93", "student", ":"));
        }
        return Event.of(position % 3 == 0 ? "Third" : "Other", "{}", tags.toArray(String[]::new));
    }

    @Test
    void types_are_found_by_their_beginning() {
        assertThat(names.types("", 10)).containsExactly("Other", "Third");
        assertThat(names.types("Th", 10)).containsExactly("Third");
        assertThat(names.types("th", 10)).isEmpty();
        assertThat(names.types("", 1)).containsExactly("Other");
    }

    @Test
    void tags_are_found_by_their_beginning() {
        assertThat(names.tags("student:29", 20))
                .containsExactly(
                        "student:29",
                        "student:290",
                        "student:291",
                        "student:292",
                        "student:293",
                        "student:294",
                        "student:295",
                        "student:296",
                        "student:297",
                        "student:298",
                        "student:299");
        assertThat(names.tags("student:2", 3)).containsExactly("student:2", "student:20", "student:200");
        assertThat(names.tags("%", 3)).containsExactly("%_");
        assertThat(names.tags("größe:", 3)).containsExactly("größe:1", "größe:2");
        assertThat(names.tags("\uD83C\uDF93", 3)).containsExactly("\uD83C\uDF93");
        assertThat(names.tags("zebra", 3)).isEmpty();
    }

    @Test
    void a_kind_is_the_part_of_a_tag_up_to_its_colon() {
        assertThat(names.kindsOfTags(20))
                .containsExactly("%_", ":", "even", "größe:", "odd", "student", "student:", "\uD83C\uDF93");
        assertThat(names.kindsOfTags(2)).containsExactly("%_", ":");
    }

    @Test
    void few_uses_of_a_name_are_counted() {
        assertThat(names.countKindsOfTags(20))
                .contains(
                        new NameCount("größe:", 2, null),
                        new NameCount("student", 1, null),
                        new NameCount(":", 1, null))
                .allSatisfy(kind -> assertThat(kind.isExact())
                        .as(kind.name())
                        .isEqualTo(!List.of("even", "odd", "student:").contains(kind.name())));
    }

    @Test
    void many_uses_of_a_name_are_estimated_from_statistics() {
        database.execute("analyze registrar.events, registrar.event_tags");

        assertThat(names.countTypes(20))
                .hasSize(2)
                .allSatisfy(type -> assertThat(type.estimate())
                        .isCloseTo(type.name().equals("Third") ? EVENTS / 3L : EVENTS * 2L / 3, withinPercentage(10)));
        assertThat(names.countKindsOfTags(20))
                .filteredOn(kind -> !kind.isExact())
                .hasSize(3)
                .allSatisfy(kind -> assertThat(kind.estimate())
                        .as(kind.name())
                        .isCloseTo(kind.name().equals("student:") ? EVENTS : EVENTS / 2L, withinPercentage(10)));
    }

    /* Each look-up descends an index, once for each name. */
    @Test
    void look_ups_of_names_read_no_table_as_a_whole() throws SQLException {
        try (Connection connection = database.connect()) {
            DataSource one = new SingleConnectionDataSource(connection, true);
            StoreNames looked = new StoreNames(database.newStore(), one, StoreDatabase.defaultSettings());
            long before = tableScans(one);

            looked.types("", 50);
            looked.tags("student:29", 50);
            looked.tags("zebra", 50);
            looked.kindsOfTags(50);
            looked.countTypes(50);
            looked.countKindsOfTags(50);

            assertThat(tableScans(one)).isEqualTo(before);
        }
    }

    private static long tableScans(DataSource connection) {
        JdbcClient jdbc = JdbcClient.create(connection);
        jdbc.sql("select pg_stat_force_next_flush()").query(row -> {});
        return jdbc.sql("""
                        select sum(seq_scan)
                        from pg_stat_user_tables
                        where relid in ('registrar.events'::regclass, 'registrar.event_tags'::regclass)""").query(Long.class).single();
    }

    @Test
    void a_beginning_that_no_name_can_have_is_refused() {
        assertThatThrownBy(() -> names.tags("a\0", 1)).isInstanceOf(RefusedInputException.class);
        assertThatThrownBy(() -> names.types("\uD800", 1)).isInstanceOf(RefusedInputException.class);
    }

    @Test
    void pages_follow_each_other_backwards() {
        Query everything = Query.all();
        EventPage<Long> first = page(everything, Range.all(Direction.BACKWARDS), 3, LONG);
        assertThat(first.events()).containsExactly(40_000L, 39_999L, 39_998L);
        assertThat(first.next()).contains(Position.of(39_997));

        EventPage<Long> second = page(everything, upTo(39_997), 3, LONG);
        assertThat(second.events()).containsExactly(39_997L, 39_996L, 39_995L);

        EventPage<Long> last = page(everything, upTo(2), 3, LONG);
        assertThat(last.events()).containsExactly(2L, 1L);
        assertThat(last.next()).isEmpty();
        assertThat(last.head().position()).isEqualTo(Position.of(EVENTS));
    }

    @Test
    void both_bounds_of_a_range_hold() {
        Query third = Query.of(QueryItem.types("Third"));
        Range range = new Range(Position.of(5), Position.of(12), Direction.FORWARDS);

        assertThat(page(third, range, 10, LONG).events()).containsExactly(6L, 9L, 12L);
        assertThat(page(third, new Range(Position.of(5), Position.of(12), Direction.BACKWARDS), 2, LONG)
                        .events())
                .containsExactly(12L, 9L);
        assertThat(page(third, new Range(Position.of(12), Position.of(5), Direction.FORWARDS), 10, LONG)
                        .events())
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Direction.class)
    void tags_that_are_rarely_together_are_found_in_windows(Direction direction) {
        EventPage<Long> found = page(Query.of(QueryItem.tags("even", "odd")), Range.all(direction), 10, LONG);

        assertThat(found.events()).containsExactly(10L);
        assertThat(found.next()).isEmpty();
        assertThat(found.outOfTime()).isFalse();
    }

    @Test
    void a_search_that_is_out_of_time_says_where_it_continues() {
        Query rare = Query.of(QueryItem.tags("even", "odd"));
        List<Long> found = new ArrayList<>();
        int searches = 0;
        Range range = Range.all(Direction.BACKWARDS);
        EventPage<Long> page = page(rare, range, 10, Duration.ZERO);
        while (page.outOfTime()) {
            assertThat(page.events()).isEmpty();
            page = page(rare, upTo(page.next().orElseThrow().value()), 10, Duration.ZERO);
            searches++;
        }
        found.addAll(page.events());

        assertThat(found).containsExactly(10L);
        assertThat(page.next()).isEmpty();
        assertThat(searches).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Direction.class)
    void pages_in_windows_contain_each_event_once(Direction direction) {
        Query query = Query.of(QueryItem.types("Third").tagged("student:3"), QueryItem.tags("odd", "student:3"));
        List<Long> expected = LongStream.rangeClosed(1, EVENTS)
                .filter(position -> position % 300 == 3)
                .boxed()
                .toList();
        List<Long> found = new ArrayList<>();
        EventPage<Long> page = page(query, Range.all(direction), 7, Duration.ZERO);
        found.addAll(page.events());
        while (page.next().isPresent()) {
            long next = page.next().get().value();
            page = page(query, direction == Direction.BACKWARDS ? upTo(next) : from(next), 7, Duration.ZERO);
            found.addAll(page.events());
        }

        assertThat(found).isEqualTo(direction == Direction.FORWARDS ? expected : expected.reversed());
    }

    @Test
    void a_page_of_large_events_ends_early() {
        StoreDatabase ofLarge = new StoreDatabase();
        try (ofLarge) {
            PostgresEventStore store = ofLarge.newStore();
            for (int i = 0; i < 4; i++) {
                store.append(List.of(Event.of("Large", "x".repeat(400_000), "large")));
            }
            Query large = Query.of(QueryItem.tags("large"));
            List<Long> found = new ArrayList<>();
            Range range = Range.all(Direction.BACKWARDS);
            EventPages ofStore = new EventPages(new ExplorerReads(store));
            EventPage<Long> page = ofStore.page(
                    large, range, 10, LONG, event -> event.position().value());
            assertThat(page.events()).hasSizeLessThan(4);
            found.addAll(page.events());
            while (page.next().isPresent()) {
                page = ofStore.page(
                        large,
                        upTo(page.next().get().value()),
                        10,
                        LONG,
                        event -> event.position().value());
                found.addAll(page.events());
            }

            assertThat(found).containsExactly(4L, 3L, 2L, 1L);
        }
    }

    private static Range upTo(long position) {
        return new Range(Position.START, Position.of(position), Direction.BACKWARDS);
    }

    private static Range from(long position) {
        return new Range(Position.of(position - 1), Position.of(Long.MAX_VALUE), Direction.FORWARDS);
    }

    private static EventPage<Long> page(Query query, Range range, int most, Duration time) {
        return pages.page(query, range, most, time, event -> event.position().value());
    }
}
