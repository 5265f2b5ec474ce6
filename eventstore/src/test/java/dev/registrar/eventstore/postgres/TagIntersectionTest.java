package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The stored functions that search for events with tags and types, compared with a plain search of all events. */
class TagIntersectionTest {
    private static final int EVENTS = 5_000;
    private static final List<String> TAGS = List.of("a", "b", "c", "d", "e", "f");

    /** Sizes close to those of chunks. */
    private static final List<Long> MOST = List.of(1L, 10L, 64L, 65L, 1_000L, 10_000L, Long.MAX_VALUE);

    private static final List<@Nullable Long> OPEN = Collections.singletonList(null);

    private static StoreDatabase database;
    private static Connection connection;
    /** The tags of each event as a bit set. */
    private static int[] tags;

    @BeforeAll
    static void fill() throws SQLException {
        database = new StoreDatabase();
        connection = database.connect();
        try (Statement statement = connection.createStatement()) {
            statement.execute(StoreDatabase.sessionSettings());
        }
        Random random = new Random(1);
        tags = new int[EVENTS + 1];
        double[] density = new double[TAGS.size()];
        for (int position = 1; position <= EVENTS; position++) {
            for (int tag = 0; tag < TAGS.size(); tag++) {
                // The rare tag changes from time to time, and for a while a tag may be on no event or on all.
                if (random.nextInt(400) == 0) {
                    density[tag] = List.of(0.0, 0.001, 0.02, 0.5, 1.0).get(random.nextInt(5));
                }
                if (random.nextDouble() < density[tag]) {
                    tags[position] |= 1 << tag;
                }
            }
        }
        store();
    }

    private static void store() throws SQLException {
        List<String> names = new ArrayList<>();
        List<Long> positions = new ArrayList<>();
        List<String> types = new ArrayList<>();
        for (int position = 1; position <= EVENTS; position++) {
            for (String tag : TAGS) {
                if (has(position, tag)) {
                    names.add(tag);
                    positions.add((long) position);
                    types.add(type(position));
                }
            }
        }
        try (PreparedStatement insert = connection.prepareStatement("""
                insert into registrar.event_tags (tag, position, type)
                select * from unnest(?::text[], ?::bigint[], ?::text[])""")) {
            insert.setArray(1, connection.createArrayOf("text", names.toArray()));
            insert.setArray(2, connection.createArrayOf("bigint", positions.toArray()));
            insert.setArray(3, connection.createArrayOf("text", types.toArray()));
            insert.executeUpdate();
        }
        try (PreparedStatement insert = connection.prepareStatement("""
                insert into registrar.events (position, recorded_at, id, size, type, tags, payload, metadata)
                select position, now(), gen_random_uuid(), 300, type, '{}', '{}', '{}'
                from unnest(?::text[]) with ordinality given (type, position)""")) {
            insert.setArray(
                    1,
                    connection.createArrayOf(
                            "text",
                            IntStream.rangeClosed(1, EVENTS)
                                    .mapToObj(TagIntersectionTest::type)
                                    .toArray()));
            insert.executeUpdate();
        }
    }

    @AfterAll
    static void close() throws SQLException {
        connection.close();
        database.close();
    }

    private static boolean has(int position, String tag) {
        return (tags[position] & 1 << TAGS.indexOf(tag)) != 0;
    }

    private static String type(int position) {
        return position % 200 == 7 ? "Rare" : "Type" + position % 3;
    }

    private static List<Long> matches(List<String> wanted, List<String> types, long above, long upTo) {
        return LongStream.rangeClosed(Math.max(1, above + 1), Math.min(EVENTS, upTo))
                .filter(position -> wanted.stream().allMatch(tag -> has((int) position, tag)))
                .filter(position -> types.isEmpty() || types.contains(type((int) position)))
                .boxed()
                .toList();
    }

    @Test
    void each_search_finds_the_same_events_as_a_plain_search() throws SQLException {
        Random random = new Random(2);
        for (int round = 0; round < 100; round++) {
            List<String> shuffled = new ArrayList<>(TAGS);
            Collections.shuffle(shuffled, random);
            List<String> wanted = shuffled.subList(0, random.nextInt(0, 5));
            List<String> types = wanted.isEmpty() || random.nextBoolean() ? someTypes(random) : List.of();
            long above = random.nextInt(3) == 0 ? 0 : random.nextLong(EVENTS);
            long upTo = random.nextInt(3) == 0 ? Long.MAX_VALUE : random.nextLong(EVENTS + 10);
            long most = MOST.get(random.nextInt(MOST.size()));
            List<Long> all = matches(wanted, types, above, upTo);
            int found = (int) Math.min(all.size(), most);

            assertThat(positions(wanted, types, above, upTo, false, most)).isEqualTo(all.subList(0, found));
            assertThat(positions(wanted, types, above, upTo, true, most))
                    .isEqualTo(all.reversed().subList(0, found));
            assertJudgedRightly(wanted, types, above);
        }
    }

    /* Also more than the 8 up to which a condition's types are a list under the lock; most of them have no events. */
    private static List<String> someTypes(Random random) {
        List<String> types = new ArrayList<>(List.of("Type0", "Type1", "Type2", "Rare"));
        Collections.shuffle(types, random);
        types.subList(random.nextInt(1, 5), types.size()).clear();
        int unknown = random.nextInt(9);
        for (int number = 0; number < unknown; number++) {
            types.add("Unknown" + number);
        }
        return types;
    }

    /* A bounded search may leave an item undecided, but must not be wrong, however many items share its bound. */
    private static void assertJudgedRightly(List<String> wanted, List<String> types, long above) throws SQLException {
        List<Long> first =
                matches(wanted, types, above, EVENTS).stream().limit(1).toList();
        for (int items : List.of(1, 130, 1_100)) {
            List<@Nullable Long> found = quickMatches(items, wanted, types, above);
            if (!found.equals(OPEN)) {
                assertThat(found).isEqualTo(first);
            }
            if (!first.isEmpty()) {
                assertThat(isPerhapsMatched(items, wanted, types, above)).isTrue();
            }
        }
    }

    /* The answer for the first of several equal items. */
    private static List<@Nullable Long> quickMatches(int items, List<String> wanted, List<String> types, long above)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                select position
                from
                    (select ?::int) given (items),
                    registrar.quick_matches(
                        array(select generate_series(1::bigint, items)),
                        array_fill(?::text, array[items]), array_fill(?::text, array[items]),
                        array_fill(?::text, array[items]), array_fill(?::text, array[items]),
                        array_fill(?::bigint, array[items])
                    ) found
                where found.item = 1""")) {
            statement.setInt(1, items);
            setFirstTags(statement, 2, wanted);
            statement.setString(4, wanted.size() == 1 || wanted.size() == 2 ? null : text(wanted));
            statement.setString(5, text(types));
            statement.setLong(6, above);
            return positions(statement);
        }
    }

    private static boolean isPerhapsMatched(int items, List<String> wanted, List<String> types, long above)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                select found.item
                from
                    (select ?::int) given (items),
                    registrar.items_perhaps_matched(
                        array_fill(?::text, array[items]), array_fill(?::text, array[items]),
                        array_fill(?::text, array[items]), array_fill(?::bigint, array[items])
                    ) found
                where found.item = 1""")) {
            statement.setInt(1, items);
            setFirstTags(statement, 2, wanted);
            statement.setString(4, text(types));
            statement.setLong(5, above);
            return !positions(statement).isEmpty();
        }
    }

    private static void setFirstTags(PreparedStatement statement, int parameter, List<String> wanted)
            throws SQLException {
        statement.setString(parameter, wanted.isEmpty() ? null : wanted.get(0));
        statement.setString(parameter + 1, wanted.size() < 2 ? null : wanted.get(1));
    }

    private static String text(List<String> values) {
        return "{" + String.join(",", values) + "}";
    }

    private static List<@Nullable Long> positions(
            List<String> wanted, List<String> types, long above, long upTo, boolean backwards, long most)
            throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("select * from registrar.positions_in_lists(?, ?, ?, ?, ?, ?, false)")) {
            statement.setArray(1, connection.createArrayOf("text", wanted.toArray()));
            statement.setArray(2, connection.createArrayOf("text", types.toArray()));
            statement.setLong(3, above);
            statement.setLong(4, upTo);
            statement.setBoolean(5, backwards);
            statement.setLong(6, most);
            return positions(statement);
        }
    }

    private static List<@Nullable Long> positions(PreparedStatement statement) throws SQLException {
        List<@Nullable Long> positions = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                positions.add(rows.getObject(1, Long.class));
            }
        }
        return positions;
    }
}
