package dev.registrar.eventstore.postgres.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A group of reads returns the same chunks as separate reads. */
class GroupReadStatementTest {
    private static final int EVENTS = 400;
    private static final int GROUPS = 30;
    private static StoreDatabase tables;
    private static PostgresEventStore store;
    private static Database database;
    private static StoreReader reader;

    @BeforeAll
    static void open() {
        tables = new StoreDatabase();
        store = tables.newStore();
        StoreOptions settings = StoreDatabase.defaultSettings();
        database = StoreDatabase.on(tables.pool(settings), settings, new CompositeMeterRegistry());
        reader = new StoreReader(database, settings, new CompositeMeterRegistry());
    }

    @AfterAll
    static void close() {
        tables.close();
    }

    @BeforeEach
    void empty() {
        tables.clear();
    }

    private static List<Chunk> together(List<ChunkRequest> requests) {
        return database.run(new GroupReadStatement("registrar", GroupReadStatement.MOST_BYTES).text(), statement -> {
            GroupReadStatement.bind(statement, requests);
            try (ResultSet rows = statement.executeQuery()) {
                return GroupReadStatement.chunks(rows, requests);
            }
        });
    }

    private static Chunk alone(ChunkRequest request) {
        return reader.chunk(Direction.FORWARDS, request, reader.nothingHeld());
    }

    private static ChunkRequest all(String tag) {
        return new ChunkRequest(List.of(probe(QueryItem.tags(tag), 0, Long.MAX_VALUE)), 64, List.of(), true);
    }

    private static Probe probe(QueryItem item, long above, long upTo) {
        return new Probe(item, Position.of(above), Position.of(upTo));
    }

    @Test
    void random_requests_of_a_group_get_the_same_answers_as_single_requests() {
        Random random = new Random(20_261_122);
        store.append(IntStream.range(0, EVENTS).mapToObj(i -> event(random)).toList());
        List<Head> heads = List.of(
                store.head(),
                new Head(Position.of(7), store.head().incarnation(), idAt(7)),
                new Head(Position.of(7), store.head().incarnation(), UUID.randomUUID()),
                new Head(Position.of(EVENTS + 5), store.head().incarnation(), UUID.randomUUID()),
                new Head(Position.START, UUID.randomUUID(), null));

        int found = 0;
        int lost = 0;
        for (int i = 0; i < GROUPS; i++) {
            List<ChunkRequest> requests = IntStream.range(0, 1 + random.nextInt(12))
                    .mapToObj(each -> request(random, heads))
                    .toList();
            List<Chunk> chunks = together(requests);

            assertThat(chunks)
                    .isEqualTo(
                            requests.stream().map(GroupReadStatementTest::alone).toList());
            for (Chunk chunk : chunks) {
                found += chunk.events().size();
                lost += chunk.lostHeads() ? 1 : 0;
            }
        }
        assertThat(found).isGreaterThan(GROUPS);
        assertThat(lost).isBetween(GROUPS / 4, GROUPS * 12);
    }

    private static Event event(Random random) {
        List<String> tags = new ArrayList<>(List.of("course:" + random.nextInt(5)));
        if (random.nextBoolean()) {
            tags.add("student:" + random.nextInt(20));
        }
        // Some are larger than their share of a full chunk, which then ends before them.
        String payload = "\"%s\"".formatted("x".repeat(random.nextInt(20) == 0 ? 3_000 : 8));
        return Event.of("Type" + random.nextInt(4), payload, tags.toArray(String[]::new));
    }

    private static ChunkRequest request(Random random, List<Head> heads) {
        List<Probe> probes = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            String tag = random.nextBoolean() ? "course:" + random.nextInt(6) : "student:" + random.nextInt(21);
            QueryItem item = random.nextBoolean()
                    ? QueryItem.tags(tag)
                    : QueryItem.types("Type" + random.nextInt(5), "Type0").tagged(tag);
            long above = random.nextInt(EVENTS);
            probes.add(probe(item, above, random.nextBoolean() ? Long.MAX_VALUE : above + random.nextInt(EVENTS)));
        }
        return new ChunkRequest(
                probes,
                1 + random.nextInt(64),
                heads.stream().filter(head -> random.nextInt(4) == 0).toList(),
                true);
    }

    private static UUID idAt(long position) {
        return store.read(Query.all(), ReadOptions.forwards().after(Position.of(position - 1)))
                .next()
                .event()
                .id();
    }

    @Test
    void an_empty_store_has_empty_chunks_and_a_head() {
        List<Chunk> chunks = together(List.of(all("course:1"), all("course:2")));

        assertThat(chunks)
                .isEqualTo(List.of(alone(all("course:1")), alone(all("course:2"))))
                .allSatisfy(chunk -> assertThat(chunk.head().position()).isEqualTo(Position.START));
    }

    @Test
    void of_events_that_do_not_fit_neither_tags_nor_payload_are_sent() {
        String[] tags = IntStream.range(0, 50)
                .mapToObj(number -> number == 0 ? "course:1" : "long:%s%s".formatted(number, "x".repeat(200)))
                .toArray(String[]::new);
        store.append(IntStream.range(0, 64)
                .mapToObj(number -> Event.of("Noted", "{}", tags))
                .toList());
        List<ChunkRequest> requests = List.of(all("course:1"));

        List<@Nullable String> sent =
                database.run(new GroupReadStatement("registrar", GroupReadStatement.MOST_BYTES).text(), statement -> {
                    GroupReadStatement.bind(statement, requests);
                    List<@Nullable String> texts = new ArrayList<>();
                    try (ResultSet rows = statement.executeQuery()) {
                        rows.next(); // the head
                        while (rows.next()) {
                            texts.add(rows.getString(5));
                            texts.add(rows.getString(6));
                        }
                    }
                    return texts;
                });

        assertThat(sent).hasSize(128).filteredOn(Objects::nonNull).hasSize(2);
        assertThat(alone(requests.getFirst()).events()).hasSize(1);
    }

    @Test
    void several_requests_of_a_group_can_find_the_same_event() {
        store.append(List.of(Event.of("Noted", "{}", "course:1", "student:1")));
        ChunkRequest both = new ChunkRequest(
                List.of(
                        probe(QueryItem.tags("course:1"), 0, Long.MAX_VALUE),
                        probe(QueryItem.tags("student:1"), 0, Long.MAX_VALUE)),
                64,
                List.of(),
                true);

        assertThat(together(List.of(both, all("student:1"), both)))
                .allSatisfy(chunk -> assertThat(chunk.events()).hasSize(1));
    }

    @Test
    void only_small_chunks_of_one_tag_each_are_grouped() {
        ChunkRequest small = all("course:1");
        Probe several = probe(QueryItem.tags("course:1", "student:1"), 0, 9);
        Probe everything = probe(QueryItem.any(), 0, 9);

        assertThat(GroupReadStatement.serves(small)).isTrue();
        assertThat(GroupReadStatement.serves(small.large())).isFalse();
        assertThat(GroupReadStatement.serves(new ChunkRequest(small.probes(), 65, List.of(), true)))
                .isFalse();
        assertThat(GroupReadStatement.serves(new ChunkRequest(List.of(several), 64, List.of(), true)))
                .isFalse();
        assertThat(GroupReadStatement.serves(new ChunkRequest(List.of(everything), 64, List.of(), true)))
                .isFalse();
    }
}
