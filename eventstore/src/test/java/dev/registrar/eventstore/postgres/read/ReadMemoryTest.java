package dev.registrar.eventstore.postgres.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** The bytes that reads hold, each and all together. */
@ExtendWith(OutputCaptureExtension.class)
class ReadMemoryTest {
    private static final long CHUNK = 64 << 10;
    private static final long LARGE_EVENT = 190_000;
    private static final Query EVERYTHING = Query.all();
    private static final Map<String, ?> SETTINGS = Map.of(
            "page-size", "64KB",
            "read-memory", "1MB",
            "client-read-memory", "1MB",
            "max-payload-bytes", "200000",
            "max-waiting-reads", "2");

    private static StoreDatabase database;
    private static MeterRegistry meters;
    private static PostgresEventStore store;

    @BeforeAll
    static void open() {
        database = new StoreDatabase();
        meters = new SimpleMeterRegistry();
        StoreOptions settings = StoreDatabase.settings(SETTINGS);
        store = StoreDatabase.storeOn(database.pool(settings), settings, meters);
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void empty() {
        database.clear();
    }

    @AfterEach
    void every_byte_is_released() {
        assertThat(held("process")).isZero();
        assertThat(held("client")).isZero();
    }

    private long held(String use) {
        return (long) meters.get("registrar.store.read.memory.used")
                .tag("use", use)
                .gauge()
                .value();
    }

    private void append(int events, int payload) {
        for (int i = 0; i < events; i++) {
            store.append(List.of(Event.of("Type" + i % 2, "x".repeat(payload), "all", "n:" + i % 3)));
        }
    }

    static Stream<Query> queries() {
        return Stream.of(
                EVERYTHING,
                Query.of(QueryItem.tags("all")),
                Query.of(QueryItem.types("Type0", "Type1")),
                Query.of(QueryItem.tags("all", "n:1"), QueryItem.tags("all", "n:2"), QueryItem.tags("all", "n:0")),
                Query.of(QueryItem.tags("all"), QueryItem.types("Type1").tagged("all"), QueryItem.tags("n:1")));
    }

    @ParameterizedTest
    @MethodSource("queries")
    void every_chunk_is_limited_by_bytes(Query query) {
        append(70, 9_000);

        for (Direction direction : Direction.values()) {
            List<Long> read = new ArrayList<>();
            try (EventStream events =
                    store.read(query, new ReadOptions(null, null, null, direction, 69L, Set.of(), false, true))) {
                while (events.hasNext()) {
                    assertThat(held("client")).isBetween(9_000L, CHUNK);
                    read.add(events.next().position().value());
                }
                assertThat(held("client")).isZero();
            }

            assertThat(read)
                    .isEqualTo(LongStream.rangeClosed(1, 70)
                            .boxed()
                            .sorted(
                                    direction == Direction.FORWARDS
                                            ? Comparator.naturalOrder()
                                            : Comparator.reverseOrder())
                            .limit(69)
                            .toList());
        }
    }

    @ParameterizedTest
    @MethodSource("queries")
    void an_event_larger_than_a_chunk_is_read_alone(Query query) {
        append(1, 10);
        append(3, (int) LARGE_EVENT);
        append(2, 10);

        for (Direction direction : Direction.values()) {
            try (EventStream events =
                    store.read(query, new ReadOptions(null, null, null, direction, null, Set.of(), false, false))) {
                int read = 0;
                while (events.hasNext()) {
                    assertThat(held("process")).isLessThan(LARGE_EVENT + CHUNK);
                    events.next();
                    read++;
                }
                assertThat(read).isEqualTo(6);
            }
        }
    }

    @Test
    void the_bytes_of_tags_count() {
        String[] tags =
                IntStream.range(0, 50).mapToObj(i -> i + "-" + "t".repeat(250)).toArray(String[]::new);
        for (int i = 0; i < 20; i++) {
            store.append(List.of(Event.of("Tagged", "{}", tags)));
        }

        try (EventStream events = store.read(EVERYTHING)) {
            assertThat(held("process")).isBetween(12_000L, CHUNK);
            assertThat(events.stream()).hasSize(20);
        }
    }

    @Test
    void an_event_that_several_items_match_is_fetched_once() {
        append(1, 9_000);
        List<QueryItem> items = List.of(
                QueryItem.tags("all"),
                QueryItem.tags("n:0"),
                QueryItem.types("Type0").tagged("all"));
        ChunkRequest request =
                new ChunkRequest(Probe.all(items, Position.START, Position.of(Long.MAX_VALUE)), 64, List.of(), true);
        StoreOptions settings = StoreDatabase.settings(SETTINGS);

        int rows = StoreDatabase.on(database.pool(settings), settings, new CompositeMeterRegistry())
                .run(new GroupReadStatement("registrar", GroupReadStatement.MOST_BYTES).text(), statement -> {
                    GroupReadStatement.bind(statement, List.of(request));
                    int events = 0;
                    try (ResultSet row = statement.executeQuery()) {
                        while (row.next()) {
                            events += row.getString(4) == null ? 0 : 1;
                        }
                    }
                    return events;
                });

        assertThat(rows).isEqualTo(1);
    }

    @Test
    void reads_together_stay_within_their_memory_and_a_further_read_times_out() {
        append(3, (int) LARGE_EVENT);
        List<EventStream> open = new ArrayList<>();
        try {
            assertThatThrownBy(() -> {
                        while (true) {
                            open.add(Deadline.within(Duration.ofMillis(300), () -> store.read(EVERYTHING)));
                            assertThat(held("process")).isLessThanOrEqualTo(1 << 20);
                        }
                    })
                    .isInstanceOf(StoreTimeoutException.class)
                    .hasMessageContaining("1024 KB")
                    .hasMessageContaining("until it is read to its end or closed");
            assertThat(open).hasSize(4);
            // Reads of clients and reads of this process have separate bounds.
            try (EventStream other =
                    store.read(EVERYTHING, ReadOptions.forwards().forClient(true))) {
                assertThat(other.stream()).hasSize(3);
            }

            open.removeFirst().close();
            open.add(store.read(EVERYTHING));

            // Each read can continue, since it releases its chunk before it acquires the next.
            for (EventStream stream : open) {
                assertThat(stream.stream()).hasSize(3);
            }
        } finally {
            open.forEach(EventStream::close);
        }
    }

    @Test
    void a_read_for_a_client_releases_each_event_when_the_next_one_is_taken() {
        int payload = 10_000;
        append(3, payload);
        try (EventStream events = store.read(EVERYTHING, ReadOptions.forwards().forClient(true))) {
            long chunk = held("client");
            events.next();
            assertThat(held("client")).isEqualTo(chunk);

            events.next();
            long two = held("client");
            events.next();

            assertThat(two).isBetween(2L * payload, chunk - payload);
            assertThat(held("client")).isBetween((long) payload, two - payload);
        }
    }

    @Test
    void streams_that_a_caller_left_open_give_their_memory_back_and_the_log_names_the_caller(CapturedOutput output) {
        append(3, (int) LARGE_EVENT);
        openAndForget(4);

        Awaitility.await().until(() -> {
            System.gc();
            return held("process") == 0;
        });

        Awaitility.await()
                .untilAsserted(() -> assertThat(output.toString())
                        .contains(
                                "close the stream that is opened at",
                                "ReadMemoryTest.openAndForget(ReadMemoryTest.java:"));
        try (EventStream events = store.read(EVERYTHING)) {
            assertThat(events.stream()).hasSize(3);
        }
    }

    private static void openAndForget(int streams) {
        for (int i = 0; i < streams; i++) {
            store.read(EVERYTHING).next();
        }
    }

    /* The first chunk reports a lost head; the read that determines which head fails. */
    @Test
    void a_read_that_fails_after_its_first_chunk_releases_its_memory() {
        append(1, 10);
        StoreOptions options = StoreDatabase.settings(Map.of("retry.max-retries", 0));
        MeterRegistry counted = new SimpleMeterRegistry();
        AtomicInteger taken = new AtomicInteger();
        try (PostgresEventStore failing = StoreDatabase.storeOn(
                new DelegatingDataSource(database.pool(options)) {
                    @Override
                    public Connection getConnection() throws SQLException {
                        if (taken.incrementAndGet() > 1) {
                            throw new SQLException("lost", "08006");
                        }
                        return super.getConnection();
                    }
                },
                options,
                counted)) {
            Head head = store.head();
            Head lost = new Head(head.position(), head.incarnation(), UUID.randomUUID());

            assertThatThrownBy(() ->
                            failing.read(EVERYTHING, ReadOptions.forwards().on(Set.of(lost))))
                    .isInstanceOf(StoreUnavailableException.class);

            assertThat(taken).hasValue(2);
            assertThat(counted.get("registrar.store.read.memory.used")
                            .tag("use", "process")
                            .gauge()
                            .value())
                    .isZero();
        }
    }

    @Test
    void the_reads_that_wait_for_memory_are_bounded() throws Exception {
        append(1, (int) LARGE_EVENT);
        List<EventStream> open = new ArrayList<>();
        try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) {
                open.add(store.read(EVERYTHING, ReadOptions.forwards().forClient(true)));
            }
            List<Future<Long>> waiting = IntStream.range(0, 2)
                    .mapToObj(i -> others.submit(() -> {
                        try (EventStream events =
                                store.read(EVERYTHING, ReadOptions.forwards().forClient(true))) {
                            return events.stream().count();
                        }
                    }))
                    .toList();
            Awaitility.await()
                    .until(() -> meters.get("registrar.store.read.memory.waiting")
                                    .tag("use", "client")
                                    .gauge()
                                    .value()
                            == 2);
            assertThatThrownBy(
                            () -> store.read(EVERYTHING, ReadOptions.forwards().forClient(true)))
                    .isInstanceOf(OverloadedException.class)
                    .hasMessageContaining("2");

            open.forEach(EventStream::close);
            for (Future<Long> each : waiting) {
                assertThat(each.get()).isEqualTo(1);
            }
        } finally {
            open.forEach(EventStream::close);
        }
    }

    @Test
    void projections_and_look_ups_release_their_memory() {
        append(5, (int) LARGE_EVENT);
        Query query = Query.of(QueryItem.tags("all"));

        assertThat(store.last(query)).map(SequencedEvent::position).contains(Position.of(5));
        assertThat(store.project(new Count(query)).states().getFirst().state()).isEqualTo(5);
        assertThatThrownBy(() -> store.project(new Count(query) {
                    @Override
                    public Integer apply(Integer state, SequencedEvent event) {
                        throw new IllegalStateException("cannot be folded");
                    }
                }))
                .hasMessage("cannot be folded");
    }

    private static class Count implements Projection<Integer> {
        private final Query query;

        Count(Query query) {
            this.query = query;
        }

        @Override
        public Query query() {
            return query;
        }

        @Override
        public Integer initial() {
            return 0;
        }

        @Override
        public Integer apply(Integer state, SequencedEvent event) {
            return state + 1;
        }
    }
}
