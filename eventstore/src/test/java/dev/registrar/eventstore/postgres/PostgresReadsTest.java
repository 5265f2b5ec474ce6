package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Reads that take several chunks. */
class PostgresReadsTest extends PostgresStoreFixture {
    @Test
    void a_long_stream_holds_no_connection_between_its_chunks() {
        StoreOptions settings = StoreDatabase.settings(
                Map.of("read-connections", "1", "resource-lock-connections", "1", "connection-timeout", "10s"));
        EventStore narrow = database.newStore(InstantSource.system(), settings);
        store.append(IntStream.range(0, 500).mapToObj(i -> event()).toList());

        try (EventStream one = narrow.read(Query.all());
                EventStream two = narrow.read(Query.all());
                EventStream three = narrow.read(Query.all())) {
            one.next();
            two.next();
            three.next();
            store.append(List.of(event()));

            assertThat(one.toList()).hasSize(499);
            assertThat(two.toList()).hasSize(499);
            assertThat(three.head().position()).isEqualTo(Position.of(500));
        }
    }

    /* More than one chunk of each, with the types and tags interleaved so that every chunk contains all of them. */
    @Test
    void reads_of_many_chunks_are_complete_and_in_order() {
        for (int batch = 0; batch < 3; batch++) {
            store.append(IntStream.range(batch * 1_000, batch * 1_000 + 1_000)
                    .mapToObj(i -> Event.of("Type" + i % 3, "{}", i % 2 == 0 ? "even" : "odd", "tens:" + i % 10))
                    .toList());
        }
        for (Query query : List.of(
                Query.all(),
                Query.of(QueryItem.types("Type1")),
                Query.of(QueryItem.types("Type0", "Type1", "Type2")),
                Query.of(QueryItem.tags("even")),
                Query.of(QueryItem.types("Type0", "Type2").tagged("tens:4", "even")),
                Query.of(QueryItem.types("Type0", "Type1"), QueryItem.tags("odd"), QueryItem.tags("tens:4", "even")))) {
            assertCompleteAndInOrder(query);
        }
    }

    private static void assertCompleteAndInOrder(Query query) {
        List<Long> expected = store.read(Query.all()).stream()
                .filter(event -> query.matches(event.event()))
                .map(event -> event.position().value())
                .toList();

        assertThat(positions(query, ReadOptions.forwards())).isEqualTo(expected);
        assertThat(positions(query, ReadOptions.backwards())).isEqualTo(expected.reversed());
        assertThat(store.count(query)).isEqualTo(expected.size());
        for (int limit : new int[] {1, 64, 65, 200}) {
            assertThat(positions(query, ReadOptions.forwards().limit(limit))).isEqualTo(expected.subList(0, limit));
            assertThat(positions(query, ReadOptions.backwards().limit(limit)))
                    .isEqualTo(expected.reversed().subList(0, limit));
        }
    }

    private static List<Long> positions(Query query, ReadOptions options) {
        try (EventStream events = store.read(query, options)) {
            return events.stream().map(event -> event.position().value()).toList();
        }
    }

    @Test
    void a_read_fails_if_the_store_is_cleared_between_two_chunks() {
        store.append(IntStream.range(0, 500).mapToObj(i -> event()).toList());
        try (EventStream events = store.read(Query.all())) {
            events.next();
            database.clear();
            store.append(IntStream.range(0, 500).mapToObj(i -> event()).toList());

            assertThatThrownBy(events::toList).isInstanceOf(StoreUnavailableException.class);
        }
    }
}
