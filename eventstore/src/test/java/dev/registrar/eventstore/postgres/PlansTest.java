package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.postgres.append.AppendAnswer;
import dev.registrar.eventstore.postgres.append.AppendEntry;
import dev.registrar.eventstore.postgres.append.AppendFunction;
import dev.registrar.eventstore.postgres.append.CheckFunction;
import dev.registrar.eventstore.postgres.append.CheckedConditions;
import dev.registrar.eventstore.postgres.read.ReadPlans;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * With 100,000 events, every condition and every read is a few index probes, with any planner statistics: there is no
 * table scan, and no statement reads more rows than its answer needs. The test checks the executed plans, including
 * nested ones.
 */
class PlansTest {
    private static final int EVENTS = 100_000;
    private static final int MOST_ROWS = 300;
    private static final int MOST_ROWS_OF_A_GROUP = 25_000;
    private static final int CHUNK = 64;
    private static final int PAGE = 1_000;
    /** Index descents that show which tag is the rarest. */
    private static final int MOST_AHEAD = 10;

    private static final Pattern TABLE_SCAN = Pattern.compile("(Seq|Bitmap Heap) Scan on (events|event_tags)\\b");
    private static final Pattern INDEX_ROWS =
            Pattern.compile("Index (?:Only )?Scan .*\\(actual time=\\S+ rows=(\\d+)(?:\\.\\d+)? loops=(\\d+)\\)");
    private static final Pattern SEARCHES = Pattern.compile("Index Searches: (\\d+)");
    private static final Pattern REMOVED = Pattern.compile("Rows Removed by Filter: (\\d+)");

    private static StoreDatabase database;
    private static DataSource connections;

    @BeforeAll
    static void fill() {
        // A new database, which has no statistics of other tests.
        database = StoreDatabase.of(StoreDatabase.migrated());
        connections =
                database.pool(StoreDatabase.settings(Map.of("read-connections", 1, "resource-lock-connections", 1)));
        EventStore store = database.newStore();
        for (int batch = 0; batch < EVENTS; batch += 1_000) {
            store.append(IntStream.range(batch, batch + 1_000)
                    .mapToObj(PlansTest::event)
                    .toList());
        }
    }

    @AfterAll
    static void close() {
        database.close();
    }

    /* Ten types, and one on three events; tags on every second and every third event, on every 200th, on every 5,000th. */
    private static Event event(int i) {
        List<String> tags = new ArrayList<>(List.of("course:" + i % 200, "student:" + i % 5_000));
        tags.add(i % 2 == 0 ? "hot" : "odd");
        if (i % 3 == 0) {
            tags.add("third");
        }
        String type = i % 40_000 == 7 ? "Rare" : "Type" + i % 10;
        return Event.of(type, "{}", tags.toArray(String[]::new));
    }

    private static final List<List<QueryItem>> SHAPES = List.of(
            List.of(QueryItem.any()),
            List.of(QueryItem.types("Type1")),
            List.of(QueryItem.types("Type1", "Type2", "Unknown")),
            List.of(QueryItem.tags("student:10")),
            List.of(QueryItem.tags("hot")),
            List.of(QueryItem.tags("unknown")),
            List.of(QueryItem.types("Type0").tagged("student:10")),
            List.of(QueryItem.tags("hot", "student:10")),
            List.of(QueryItem.tags("student:10", "hot")),
            List.of(QueryItem.tags("hot", "unknown")),
            List.of(QueryItem.tags("hot", "third")),
            List.of(QueryItem.types("Type3").tagged("odd", "third", "course:3")),
            List.of(QueryItem.types("Type0").tagged("hot", "course:10", "student:10")),
            List.of(QueryItem.types("Rare").tagged("odd")),
            List.of(QueryItem.types("Rare", "Unknown").tagged("hot")),
            List.of(QueryItem.types("Rare").tagged("hot", "third")),
            List.of(
                    QueryItem.types("Type0", "Type1").tagged("course:10"),
                    QueryItem.types("Type0", "Type1").tagged("student:10"),
                    QueryItem.types("Type3")));

    /* First without statistics of the new rows, then with fresh statistics. */
    @ParameterizedTest
    @ValueSource(strings = {"select 1", "analyze registrar.events, registrar.event_tags"})
    void reads_and_conditions_probe_indexes_with_any_statistics(String statistics) throws SQLException {
        database.execute(statistics);

        for (List<QueryItem> items : SHAPES) {
            for (Direction direction : Direction.values()) {
                assertProbes(connection -> ReadPlans.read(connection, direction, items, EVENTS, CHUNK));
            }
            assertProbes(connection -> judge(connection, items));
        }
        assertProbes(PlansTest::readGroup);
    }

    private static void judge(Connection connection, List<QueryItem> items) throws SQLException {
        AppendCondition condition = AppendCondition.failIfEventsMatch(new Query(items));
        AppendFunction function =
                new AppendFunction("registrar", Duration.ofDays(7), InstantSource.system(), StoreDatabase.WARNINGS);
        for (AppendCondition judged : List.of(
                condition, condition.after(Position.of(EVENTS / 2)), condition.after(Position.of(EVENTS - 10)))) {
            Event event = Event.of("New", "{}", "new:1");
            Append one = Append.of(event).onCondition(judged);
            connection.setAutoCommit(false);
            // A request of one event may use the function append_event.
            for (Append request :
                    List.of(one, Append.of(event, Event.of("New", "{}")).onCondition(judged))) {
                function.append(connection, List.of(AppendEntry.of(request)));
                connection.rollback();
            }
            connection.setAutoCommit(true);
            check(connection, one);
        }
    }

    private static void readGroup(Connection connection) throws SQLException {
        List<QueryItem> items = List.of(
                QueryItem.tags("student:10"),
                QueryItem.tags("unknown"),
                QueryItem.types("Type0", "Type1").tagged("course:10"),
                QueryItem.tags("hot"));
        assertThat(ReadPlans.readGroup(connection, items, Position.of(EVENTS / 2), CHUNK / 4))
                .containsExactly(10, 0, CHUNK / 4, CHUNK / 4);
    }

    /**
     * Two or more tags, and the bounds of a query's cost.
     *
     * @param rarestTag the rarest of the tags
     * @param rarest the number of events with the rarest of the tags
     * @param hits the number of matching events
     * @param searches index descents: a few for thousands of adjacent positions
     */
    record SeveralTags(QueryItem item, String rarestTag, int rarest, int hits, int searches) {}

    static Stream<SeveralTags> severalTags() {
        return Stream.of(
                new SeveralTags(QueryItem.tags("hot", "third"), "third", 33_333, 16_667, 800),
                new SeveralTags(QueryItem.types("Type0").tagged("hot", "third"), "third", 33_333, 3_334, 800),
                new SeveralTags(QueryItem.tags("hot", "odd"), "hot", 50_000, 0, 800),
                new SeveralTags(QueryItem.tags("hot", "third", "course:12"), "course:12", 500, 167, 800),
                new SeveralTags(QueryItem.tags("hot", "course:12"), "course:12", 500, 500, 800),
                new SeveralTags(QueryItem.tags("course:11", "hot"), "course:11", 500, 0, 800),
                new SeveralTags(QueryItem.tags("student:12", "third", "hot"), "student:12", 20, 7, 100),
                new SeveralTags(QueryItem.tags("course:12", "course:13"), "course:12", 500, 0, 40),
                new SeveralTags(QueryItem.tags("hot", "course:12", "course:13"), "course:12", 500, 0, 40));
    }

    @ParameterizedTest
    @MethodSource("severalTags")
    void the_cost_of_several_tags_depends_on_the_rarest_of_them(SeveralTags tags) throws SQLException {
        for (Direction direction : Direction.values()) {
            assertFollowsTheRarest(
                    tags,
                    plans(connection -> assertThat(ReadPlans.count(connection, direction, tags.item()))
                            .isEqualTo(tags.hits())));

            long alone = searches(direction, QueryItem.tags(tags.rarestTag()), tags.rarest());
            long more = tags.rarest() <= PAGE ? alone / 4 + MOST_AHEAD : tags.searches();
            assertThat(searches(direction, tags.item(), tags.hits())).isLessThanOrEqualTo(alone + more);
        }
        Append request = Append.of(Event.of("New", "{}", "new:1"))
                .onCondition(AppendCondition.failIfEventsMatch(Query.of(tags.item())));
        assertFollowsTheRarest(tags, plans(connection -> check(connection, request)));
    }

    /* A type is one more list: the frequent tag is not searched, and the lock is not held for longer. */
    @Test
    void the_cost_of_a_rare_type_does_not_depend_on_the_frequent_tags_beside_it() throws SQLException {
        for (QueryItem item : List.of(
                QueryItem.types("Rare").tagged("odd"),
                QueryItem.types("Rare", "Unknown").tagged("hot"),
                QueryItem.types("Rare").tagged("hot", "third"),
                QueryItem.types("Rare").tagged("hot", "odd", "third"))) {
            boolean matches = item.tags().size() == 1 && item.types().size() == 1;
            for (Direction direction : Direction.values()) {
                assertFewRows(connection -> assertThat(ReadPlans.events(connection, direction, item, CHUNK))
                        .isEqualTo(matches ? 3 : 0));
                assertFewRows(connection ->
                        assertThat(ReadPlans.count(connection, direction, item)).isEqualTo(matches ? 3 : 0));
            }
            // Two events, which the function append_event does not serve.
            Append request = Append.of(Event.of("New", "{}", "new:1"), Event.of("New", "{}", "new:1"))
                    .onCondition(AppendCondition.failIfEventsMatch(Query.of(item)));
            assertFewRows(connection -> check(connection, request));
            assertFewRows(connection -> {
                connection.setAutoCommit(false);
                AppendFunction function = new AppendFunction(
                        "registrar", Duration.ofDays(7), InstantSource.system(), StoreDatabase.WARNINGS);
                assertThat(function.append(connection, List.of(AppendEntry.of(request))))
                        .allSatisfy(answer -> assertThat(answer).isNotInstanceOf(AppendAnswer.Suspected.class));
                connection.rollback();
            });
        }
    }

    private static void assertFewRows(Work work) throws SQLException {
        assertThat(plans(work).stream().mapToLong(PlansTest::rowsTouched).sum())
                .isPositive()
                .isLessThan(2 * MOST_ROWS);
    }

    private static long searches(Direction direction, QueryItem item, int matching) throws SQLException {
        List<String> plans = plans(connection ->
                assertThat(ReadPlans.events(connection, direction, item, PAGE)).isEqualTo(Math.min(PAGE, matching)));
        assertThat(plans).isNotEmpty().allSatisfy(plan -> assertThat(plan).doesNotContainPattern(TABLE_SCAN));
        long searches = plans.stream().mapToLong(plan -> sum(SEARCHES, plan)).sum();
        assertThat(searches).isPositive();
        return searches;
    }

    private static void assertFollowsTheRarest(SeveralTags tags, List<String> plans) {
        assertThat(plans).isNotEmpty().allSatisfy(plan -> assertThat(plan).doesNotContainPattern(TABLE_SCAN));
        long tagCount = tags.item().tags().size();
        assertThat(plans.stream().mapToLong(PlansTest::rowsTouched).sum())
                .isPositive()
                .isLessThan(tagCount * tags.rarest() * 21 / 20 + MOST_ROWS);
        assertThat(plans.stream().mapToLong(plan -> sum(SEARCHES, plan)).sum())
                .isPositive()
                .isLessThanOrEqualTo(tags.searches());
    }

    /*
     * The maximum number of items of a request: frequent tags that no event combines, and types that no event of a
     * frequent tag has. Two such requests are in one group.
     */
    @Test
    void the_cost_of_a_groups_conditions_is_bounded() throws SQLException {
        List<QueryItem> items = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            String odd = "course:" + (2 * i + 1);
            items.add(QueryItem.tags("hot", odd));
            items.add(QueryItem.tags(odd, "hot", "course:100"));
            items.add(QueryItem.types("Type1").tagged("hot", "course:" + 2 * i));
            items.add(QueryItem.types("Type" + (2 * (i % 5) + 1), "Unknown" + i).tagged("hot"));
        }
        Append request = Append.of(Event.of("New", "{}", "new:1"))
                .onCondition(AppendCondition.failIfEventsMatch(new Query(items)));
        long rows = 0;
        for (String plan : plans(connection -> {
            connection.setAutoCommit(false);
            assertThat(new AppendFunction(
                                    "registrar", Duration.ofDays(7), InstantSource.system(), StoreDatabase.WARNINGS)
                            .append(connection, List.of(AppendEntry.of(request), AppendEntry.of(request))))
                    .containsOnly(new AppendAnswer.Suspected());
            connection.rollback();
        })) {
            rows += rowsTouched(plan);
        }

        assertThat(rows).isPositive().isLessThan(MOST_ROWS_OF_A_GROUP);
    }

    private static void check(Connection connection, Append request) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(CheckFunction.text("registrar"))) {
            List<CheckedConditions> checked = CheckFunction.check(statement, List.of(request), List.of());
            assertThat(checked.getFirst().upTo().position()).isEqualTo(Position.of(EVENTS));
        }
    }

    private interface Work {
        void on(Connection connection) throws SQLException;
    }

    private static void assertProbes(Work work) throws SQLException {
        assertThat(plans(work)).isNotEmpty().allSatisfy(plan -> {
            assertThat(plan).doesNotContainPattern(TABLE_SCAN);
            assertThat(rowsTouched(plan)).as(plan).isLessThanOrEqualTo(MOST_ROWS);
        });
    }

    private static List<String> plans(Work work) throws SQLException {
        try (Connection connection = connections.getConnection();
                Statement settings = connection.createStatement()) {
            settings.execute("load 'auto_explain'");
            settings.execute("set auto_explain.log_min_duration = 0");
            settings.execute("set auto_explain.log_nested_statements = on");
            settings.execute("set auto_explain.log_analyze = on");
            PlanLog log = new PlanLog();
            settings.execute("set client_min_messages = log");
            work.on(log.listening(connection));
            return log.plans();
        }
    }

    private static long rowsTouched(String plan) {
        long rows = 0;
        for (Matcher scan = INDEX_ROWS.matcher(plan); scan.find(); ) {
            rows += Long.parseLong(scan.group(1)) * Long.parseLong(scan.group(2));
        }
        return rows + sum(REMOVED, plan);
    }

    private static long sum(Pattern number, String plan) {
        return number.matcher(plan)
                .results()
                .mapToLong(match -> Long.parseLong(match.group(1)))
                .sum();
    }
}
