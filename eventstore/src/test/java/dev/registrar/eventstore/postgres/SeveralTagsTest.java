package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.ReadOptions.Direction;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads by several tags return the same events as a plain search, whichever way the store takes. */
class SeveralTagsTest {
    /**
     * A tag for each period: it is on every event whose position is a multiple. Some have close to 64 or 1,000 events;
     * the events of one lie far apart and fill more than the first chunk.
     */
    private static final List<Integer> PERIODS = List.of(1, 2, 3, 5, 6, 7, 21, 64, 92, 93, 95, 400, 3_000, 7_000);

    private static final int EVENTS = 6_005;

    private static StoreDatabase database;
    private static EventStore store;

    @BeforeAll
    static void fill() {
        database = new StoreDatabase();
        store = database.newStore();
        for (int last = 0; last < EVENTS; last += 1_000) {
            store.append(IntStream.rangeClosed(last + 1, Math.min(EVENTS, last + 1_000))
                    .mapToObj(SeveralTagsTest::event)
                    .toList());
        }
    }

    @AfterAll
    static void close() {
        database.close();
    }

    private static Event event(int position) {
        return Event.of(
                type(position),
                "{}",
                PERIODS.stream()
                        .filter(period -> position % period == 0)
                        .map(SeveralTagsTest::tag)
                        .toArray(String[]::new));
    }

    private static String type(long position) {
        return "Type" + position % 4;
    }

    private static String tag(int period) {
        return "every:" + period;
    }

    /**
     * A read.
     *
     * @param type the type that is wanted; empty for any
     */
    record Wanted(List<Integer> periods, String type, ReadOptions options) {
        Query query() {
            String[] tags = periods.stream().map(SeveralTagsTest::tag).toArray(String[]::new);
            return Query.of(
                    type.isEmpty()
                            ? QueryItem.tags(tags)
                            : QueryItem.types(type).tagged(tags));
        }

        List<Long> positions() {
            boolean backwards = options.direction() == Direction.BACKWARDS;
            Long limit = options.limit();
            return LongStream.rangeClosed(1, EVENTS)
                    .filter(position -> backwards
                            ? position <= options.upTo().value()
                            : position > options.above().value())
                    .filter(this::matches)
                    .boxed()
                    .sorted(backwards ? Comparator.reverseOrder() : Comparator.naturalOrder())
                    .limit(limit == null ? EVENTS : limit)
                    .toList();
        }

        private boolean matches(long position) {
            return periods.stream().allMatch(period -> position % period == 0)
                    && (type.isEmpty() || type.equals(SeveralTagsTest.type(position)));
        }
    }

    static Stream<List<Integer>> allPairs() {
        return PERIODS.stream()
                .flatMap(one ->
                        PERIODS.stream().filter(other -> !other.equals(one)).map(other -> List.of(one, other)));
    }

    private static List<ReadOptions> options() {
        return Stream.of(ReadOptions.forwards(), ReadOptions.backwards())
                .flatMap(all -> {
                    ReadOptions part = all.from(Position.of(4_321));
                    return Stream.of(all, part, all.limit(1), all.limit(70), part.limit(900), all.limit(1_001));
                })
                .toList();
    }

    @Test
    void a_read_returns_the_events_that_have_all_tags() {
        List<ReadOptions> options = List.of(
                ReadOptions.forwards(),
                ReadOptions.forwards().from(Position.of(4_321)).limit(900),
                ReadOptions.backwards().limit(70));
        for (List<Integer> periods : List.of(
                List.of(2, 5),
                List.of(1, 92),
                List.of(95, 93),
                List.of(3_000, 1),
                List.of(5, 7_000),
                List.of(93, 3, 1),
                List.of(2, 3, 5, 6),
                List.of(1, 400, 5, 64))) {
            assertRead(periods, options);
        }
    }

    @ParameterizedTest
    @MethodSource("allPairs")
    @Tag("thorough")
    void a_read_returns_the_events_that_have_both_of_any_two_tags(List<Integer> periods) {
        assertRead(periods, options());
    }

    private static void assertRead(List<Integer> periods, List<ReadOptions> some) {
        for (ReadOptions options : some) {
            for (String type : List.of("", "Type2")) {
                Wanted wanted = new Wanted(periods, type, options);

                try (EventStream events = store.read(wanted.query(), options)) {
                    assertThat(events.stream()
                                    .map(event -> event.position().value())
                                    .toList())
                            .as("%s", wanted)
                            .isEqualTo(wanted.positions());
                }
            }
        }
    }
}
