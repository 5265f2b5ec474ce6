package dev.registrar.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Masking;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.TagSecret;
import dev.registrar.eventstore.TimeOrderedId;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.eventstore.postgres.schema.StoreStartFailure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A history moves from one store to another: whole, once, and into the order of the other store. */
class HistoryTransferTest {
    /** More than a batch of an import. */
    private static final int MANY = 5_001;

    private static final String FOREIGN = """
            {"id":"%s","type":"Noted","recordedAt":"2020-02-29T12:00:00+02:00","tags":["note:1"],"payload":"{\\"n\\":%s}"}
            """;

    private static StoreDatabase from;
    private static StoreDatabase to;
    private static PostgresEventStore source;
    private static PostgresEventStore target;

    @BeforeAll
    static void open() {
        from = new StoreDatabase();
        to = new StoreDatabase();
        source = from.newStore();
        target = to.newStore();
    }

    @AfterAll
    static void close() {
        from.close();
        to.close();
    }

    @BeforeEach
    void empty() {
        from.clear();
        to.clear();
    }

    @Test
    void a_history_in_an_empty_store_is_the_same_byte_for_byte() throws IOException {
        source.append(Append.of(List.of(
                        Event.of(
                                "Noted",
                                "{\"a\":\t1}\r\n\\N \\\\ \u0001 \uD83D\uDE00 é",
                                "note:1",
                                "a,b \"c\" \\ {}",
                                "NULL"),
                        Event.of(UUID.randomUUID(), "\tType\n", List.of(), "", "no JSON")))
                .by(new Actor("issuer \"i\"", "subject", "client", "person")));
        source.append(List.of(Event.of("Noted", "{}", "note:2")));

        HistorySummary moved = importInto(export(), false);

        assertThat(events(target)).isEqualTo(events(source)).hasSize(3);
        assertThat(moved.events()).isEqualTo(3);
        assertThat(moved.added()).isEqualTo(3);
    }

    @Test
    void the_moved_store_appends_and_decides_behind_the_history() throws IOException {
        append(source, 2);
        importInto(export(), false);
        Query notes = Query.of(QueryItem.types("Noted").tagged("note:1"));

        assertThat(target.append(
                        List.of(Event.of("Noted", "{}", "note:1")),
                        AppendCondition.failIfEventsMatch(notes).after(Position.of(1))))
                .isInstanceOf(Conflict.class);
        assertThat(target.append(
                        List.of(Event.of("Noted", "{}", "note:1")),
                        AppendCondition.failIfEventsMatch(notes).after(Position.of(2))))
                .isEqualTo(new Appended(Position.of(3), Position.of(3), false));
    }

    @Test
    void behind_other_events_positions_and_times_are_new_and_the_original_time_is_a_field() throws IOException {
        append(source, 2);
        append(target, 3);
        Instant before = events(target).getLast().recordedAt();

        importInto(export(), true);

        List<SequencedEvent> imported = events(target).subList(3, 5);
        assertThat(imported).extracting(event -> event.position().value()).containsExactly(4L, 5L);
        assertThat(imported).allSatisfy(event -> assertThat(event.recordedAt()).isAfterOrEqualTo(before));
        assertThat(imported)
                .map(SequencedEvent::event)
                .isEqualTo(events(source).stream().map(SequencedEvent::event).toList());
        assertThat(imported)
                .map(SequencedEvent::originalTime)
                .isEqualTo(
                        events(source).stream().map(SequencedEvent::recordedAt).toList());
    }

    @Test
    void an_original_time_moves_on_with_the_event() throws IOException {
        append(source, 1);
        append(target, 1);
        byte[] first = export();
        importInto(first, true);
        Instant original = events(source).getFirst().recordedAt();
        byte[] second = export(target);

        from.clear();
        new HistoryImport(source, from.address(), StoreDatabase.defaultSettings(), false, HistoryProgress.NONE)
                .run(() -> new ByteArrayInputStream(second));

        assertThat(events(source)).isEqualTo(events(target));
        assertThat(events(source).getLast().originalTime()).isEqualTo(original);
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void a_file_that_is_imported_twice_adds_nothing(boolean behindOthers) throws IOException {
        append(source, 7);
        byte[] file = export();
        importInto(file, behindOthers);
        List<SequencedEvent> once = events(target);

        HistorySummary again = importInto(file, behindOthers);

        assertThat(again.added()).isZero();
        assertThat(again.events()).isEqualTo(7);
        assertThat(events(target)).isEqualTo(once);
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void a_history_that_has_grown_is_continued(boolean behindOthers) throws IOException {
        append(source, 3);
        importInto(export(), behindOthers);
        append(source, 2);

        assertThat(importInto(export(), behindOthers).added()).isEqualTo(2);

        assertThat(ids(target)).isEqualTo(ids(source));
    }

    /* The file cannot be read any more after the first batches: as a kill, this leaves whole batches and nothing else. */
    @ParameterizedTest
    @CsvSource({"false", "true"})
    void an_interrupted_import_continues_after_its_last_batch(boolean behindOthers) throws IOException {
        append(source, MANY);
        byte[] file = export();
        AtomicInteger opened = new AtomicInteger();

        assertThatThrownBy(() -> new HistoryImport(
                                target,
                                to.address(),
                                StoreDatabase.defaultSettings(),
                                behindOthers,
                                HistoryProgress.NONE)
                        .run(() -> opened.incrementAndGet() == 1
                                ? new ByteArrayInputStream(file)
                                : breaking(file, file.length - 100)))
                .isInstanceOf(UncheckedIOException.class);
        assertThat(target.head().position()).isEqualTo(Position.of(5_000));

        assertThat(importInto(file, behindOthers).added()).isEqualTo(1);
        assertThat(ids(target)).isEqualTo(ids(source));
    }

    @Test
    void others_may_append_between_the_batches_of_a_history_behind_their_events() throws IOException {
        append(source, MANY);
        byte[] file = export();

        HistorySummary moved = new HistoryImport(
                        target,
                        to.address(),
                        StoreDatabase.defaultSettings(),
                        true,
                        (events, total) -> append(target, 1))
                .run(() -> new ByteArrayInputStream(file));

        assertThat(moved.added()).isEqualTo(MANY);
        assertThat(events(target).stream()
                        .filter(event -> event.originalTime() != null)
                        .map(event -> event.event().id())
                        .toList())
                .isEqualTo(ids(source));
        assertThat(target.head().position()).isEqualTo(Position.of(MANY + 2));
        assertThat(importInto(file, true).added()).isZero();
    }

    /* The other append holds the store's lock when the import begins, and commits while the import waits for it. */
    @Test
    void an_import_waits_for_an_append_that_has_begun() throws Exception {
        append(source, 2);
        byte[] file = export();
        try (Connection other = to.connect();
                ExecutorService executor = Executors.newSingleThreadExecutor()) {
            other.setAutoCommit(false);
            StoreDatabase.lockStore(other);
            Future<HistorySummary> importing = executor.submit(() -> importInto(file, true));
            await().until(() -> to.advisoryLocksWaitedFor() == 1);
            target.joining(other).append(Append.of(List.of(Event.of("First", "{}"))));
            other.commit();
            importing.get();
        }

        assertThat(events(target)).map(event -> event.event().type()).containsExactly("First", "Noted", "Noted");
    }

    @Test
    void an_event_of_others_ends_an_import_that_keeps_the_positions() throws IOException {
        append(source, MANY);
        byte[] file = export();

        assertThatThrownBy(() -> new HistoryImport(
                                target,
                                to.address(),
                                StoreDatabase.defaultSettings(),
                                false,
                                (events, total) -> append(target, 1))
                        .run(() -> new ByteArrayInputStream(file)))
                .isInstanceOf(RefusedInputException.class)
                .hasMessageContaining("the store has other events, up to position 5001");
    }

    @Test
    void stored_events_that_are_not_those_of_the_file_fail_the_import() throws IOException {
        append(source, 2);
        byte[] file = export();

        assertThatThrownBy(() -> new HistoryImport(
                                target,
                                to.address(),
                                StoreDatabase.defaultSettings(),
                                false,
                                (events, total) -> to.replaceAfter(1))
                        .run(() -> new ByteArrayInputStream(file)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("must have 2 events of the history, with the digest sha256:");
    }

    @Test
    void idempotency_keys_move_if_wanted() throws IOException {
        List<Event> events = List.of(Event.of("Noted", "{}", "note:1"), Event.of("Noted", "{}", "note:2"));
        append(source, 1);
        Append request = Append.of(events).under(IdempotencyKey.of("once", events));
        source.append(request);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        new HistoryExport(source, true, HistoryProgress.NONE).writeTo(file);

        importInto(file.toByteArray(), false);

        assertThat(target.append(request)).isEqualTo(new Appended(Position.of(2), Position.of(3), true));
        assertThat(importInto(file.toByteArray(), false).added()).isZero();
    }

    @Test
    void a_file_of_another_program_needs_no_positions_and_no_end() throws IOException {
        append(target, 1);
        UUID id = UUID.randomUUID();

        importInto((FOREIGN.formatted(id, 1) + "\n" + FOREIGN.formatted(UUID.randomUUID(), 2)).getBytes(UTF_8), true);

        SequencedEvent imported = events(target).get(1);
        assertThat(imported.event())
                .isEqualTo(Event.of(id, "Noted", List.of(new Tag("note:1")), "{\"n\":1}", Event.NO_METADATA));
        assertThat(imported.originalTime()).isEqualTo("2020-02-29T10:00:00Z");
        assertThat(imported.actor()).isNull();
        assertThat(events(target)).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"id":                                                       | Line 3: Unexpected end-of-input
                    []                                                           | Line 3: Cannot deserialize value
                    {"id":"00000000-0000-0000-0000-00000000000x"}                | Line 3: Cannot deserialize value
                    {"id":"00000000-0000-0000-0000-000000000001"}                | Line 3: it lacks 'tags'
                    {"colour":"red"}                                             | Line 3: Unrecognized property "colour"
                    {"id":"$","tags":[],"recordedAt":"2026-09-01T08:00:00Z","payload":"{}"}                     | Line 3: it lacks 'type'
                    {"id":"$","tags":[],"type":"","recordedAt":"2026-09-01T08:00:00Z","payload":"{}"}           | Line 3: An event type must have
                    {"id":"$","tags":[],"type":"A","recordedAt":"yesterday","payload":"{}"}                     | Line 3: 'recordedAt' must be a time
                    {"id":"$","tags":[],"type":"A","recordedAt":"+10000-01-01T00:00:00Z","payload":"{}"}        | Line 3: 'recordedAt' must be in the years
                    {"id":"$","tags":[],"type":"A","recordedAt":"2026-09-01T08:00:00Z","payload":{}}            | Line 3: Cannot deserialize value
                    {"id":"$","tags":[],"type":"A","recordedAt":"2026-09-01T08:00:00Z","payload":7}             | Line 3: Cannot coerce
                    {"id":"$","tags":["\\u0000"],"type":"A","recordedAt":"2026-09-01T08:00:00Z","payload":"{}"}  | Line 3: A tag must not contain
                    {"id":"$","tags":[null],"type":"A","recordedAt":"2026-09-01T08:00:00Z","payload":"{}"}      | Line 3: a tag must be a text
                    {"key":{"key":"\\u0000","fingerprint":"f","firstPosition":1,"lastPosition":2,"recordedAt":"2026-09-01T08:00:00Z"}} | Line 3: An idempotency key must not contain
                    {"key":{"key":"a","fingerprint":"f","firstPosition":1,"lastPosition":3,"recordedAt":"2026-09-01T08:00:00Z"}} | Line 3: the key is of position 3
                    {"end":{"events":3,"keys":0,"digest":"sha256:"}}             | Line 3: the history must have 3 events
                    """)
    void a_wrong_line_is_named_and_nothing_is_stored(String line, String message) {
        String file = FOREIGN.formatted(UUID.randomUUID(), 1)
                + FOREIGN.formatted(UUID.randomUUID(), 2)
                + line.replace("$", UUID.randomUUID().toString());

        assertThatThrownBy(() -> importInto(file.getBytes(UTF_8), true))
                .isInstanceOf(HistoryException.class)
                .hasMessageStartingWith(message);
        assertThat(target.head().position()).isEqualTo(Position.START);
    }

    @Test
    void a_truncated_file_is_refused() throws IOException {
        append(source, 3);
        String file = new String(export(), UTF_8);
        String truncated = file.substring(0, file.indexOf("{\"end\""));

        assertThatThrownBy(() -> importInto(truncated.getBytes(UTF_8), false))
                .isInstanceOf(HistoryException.class)
                .hasMessageStartingWith("The file has 3 events and no line that ends the history");
        assertThat(target.head().position()).isEqualTo(Position.START);
    }

    @ParameterizedTest
    @CsvSource({"2, Line 2: the position must be 2 but is 3", "0, Line 1: the position must be 1 but is 2"})
    void positions_are_kept_only_for_a_whole_history(int removed, String message) throws IOException {
        append(source, 3);
        List<String> lines = new ArrayList<>(new String(export(), UTF_8).lines().toList());
        lines.remove(Math.max(0, removed - 1));

        assertThatThrownBy(() -> importInto(String.join("\n", lines).getBytes(UTF_8), false))
                .isInstanceOf(HistoryException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void times_that_run_backwards_cannot_be_kept() throws IOException {
        append(source, 2);
        String second = events(source).getLast().recordedAt().toString();
        String file = new String(export(), UTF_8);
        int at = file.lastIndexOf(second);
        String backwards = file.substring(0, at) + "2001-01-01T00:00:00Z" + file.substring(at + second.length());

        assertThatThrownBy(() -> importInto(backwards.getBytes(UTF_8), false))
                .isInstanceOf(HistoryException.class)
                .hasMessageStartingWith("Line 2: 'recordedAt' must not be before");
    }

    @Test
    void a_store_with_other_events_keeps_no_positions_of_a_history() throws IOException {
        append(source, 1);
        append(target, 2);
        byte[] file = export();

        assertThatThrownBy(() -> importInto(file, false))
                .isInstanceOf(HistoryException.class)
                .hasMessageStartingWith("The store has other events, up to position 2");
    }

    @Test
    void a_store_does_not_import_its_own_history() throws IOException {
        append(target, 2);
        byte[] own = export(target);

        assertThatThrownBy(() -> importInto(own, true))
                .isInstanceOf(HistoryException.class)
                .hasMessageStartingWith("The store has this history already");
    }

    @Test
    void an_import_is_not_continued_in_the_other_way_or_with_another_beginning() throws IOException {
        append(source, 2);
        byte[] file = export();
        importInto(file, false);
        from.replaceAfter(1);
        byte[] replaced = export();

        assertThatThrownBy(() -> importInto(file, true))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("has begun with the same positions");
        assertThatThrownBy(() -> importInto(replaced, false))
                .isInstanceOf(HistoryException.class)
                .hasMessageStartingWith("The first 2 events are not those that were imported before");
    }

    @Test
    void an_interrupted_export_is_continued(@TempDir Path folder) throws IOException {
        append(source, 4);
        byte[] whole = export();
        for (int written : new int[] {0, 1, whole.length / 2, whole.length - 3}) {
            Path file = folder.resolve("cut-at-" + written);
            Files.write(file, Arrays.copyOf(whole, written));

            new HistoryExport(source, false, HistoryProgress.NONE).writeTo(file);

            assertThat(file).hasBinaryContent(whole);
        }
    }

    /* Ann's event is in the part that was written before the erasure. */
    @Test
    void an_export_is_not_continued_after_an_erasure(@TempDir Path folder) throws IOException {
        append(source, 4);
        byte[] whole = export();
        Path file = Files.write(folder.resolve("cut"), Arrays.copyOf(whole, whole.length / 2));
        erase(source);

        assertThatThrownBy(() -> new HistoryExport(source, false, HistoryProgress.NONE).writeTo(file))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("or of before an erasure");
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void a_file_from_before_an_erasure_brings_nothing_back_and_can_be_continued(boolean behindOthers)
            throws IOException {
        List<Event> events = List.of(Event.of("Noted", "{}", "note:1"));
        source.append(Append.of(events).under(IdempotencyKey.of("once", events)));
        ByteArrayOutputStream first = new ByteArrayOutputStream();
        new HistoryExport(source, true, HistoryProgress.NONE).writeTo(first);
        importInto(first.toByteArray(), behindOthers);
        append(source, 2);
        ByteArrayOutputStream second = new ByteArrayOutputStream();
        new HistoryExport(source, true, HistoryProgress.NONE).writeTo(second);
        erase(target);

        assertThat(importInto(first.toByteArray(), behindOthers).added()).isZero();
        assertThat(importInto(second.toByteArray(), behindOthers).added()).isEqualTo(2);

        assertThat(ids(target)).isEqualTo(ids(source));
        assertThat(events(target).getFirst().event().payload()).isEqualTo("erased");
        assertThat(target.keys("", target.head().position(), 10)).isEmpty();
        assertThat(JdbcClient.create(to.database().dataSource())
                        .sql("select string_agg(distinct digest, ', ') from registrar.imported_ranges")
                        .query(String.class)
                        .single())
                .isEqualTo("erased");
    }

    /* The stores are others than those of the tests, since the check value of a secret cannot be removed. */
    @Test
    void a_history_moves_only_with_its_secret_of_tags() throws IOException {
        TagSecret secret = TagSecret.of("of-the-history-0123456789abcdef01234");
        TagSecret other = TagSecret.of("of-another-store-0123456789abcdef012");
        try (StoreDatabase secretOnes = StoreDatabase.of(StoreDatabase.migrated());
                StoreDatabase emptyOnes = StoreDatabase.of(StoreDatabase.migrated());
                StoreDatabase others = StoreDatabase.of(StoreDatabase.migrated())) {
            PostgresEventStore history = secretOnes.newStore();
            history.requireTagSecret(secret);
            append(history, 1);
            byte[] file = export(history);
            PostgresEventStore moved = emptyOnes.newStore();
            PostgresEventStore started = others.newStore();
            started.requireTagSecret(other);

            importInto(moved, emptyOnes, file);
            importInto(moved, emptyOnes, file);

            assertThatThrownBy(() -> moved.requireTagSecret(other)).isInstanceOf(StoreStartFailure.class);
            moved.requireTagSecret(secret);
            assertThatThrownBy(() -> importInto(started, others, file))
                    .isInstanceOf(HistoryException.class)
                    .hasMessageContaining("different secrets");
            assertThat(started.head().position()).isEqualTo(Position.START);
        }
    }

    private static void importInto(PostgresEventStore store, StoreDatabase database, byte[] file) throws IOException {
        new HistoryImport(store, database.address(), StoreDatabase.defaultSettings(), false, HistoryProgress.NONE)
                .run(() -> new ByteArrayInputStream(file));
    }

    @Test
    void erased_events_move_as_they_are() throws IOException {
        append(source, 3);
        importInto(export(), true);
        erase(target);
        byte[] file = export(target);

        from.clear();
        new HistoryImport(source, from.address(), StoreDatabase.defaultSettings(), false, HistoryProgress.NONE)
                .run(() -> new ByteArrayInputStream(file));

        assertThat(events(source)).isEqualTo(events(target));
        assertThat(events(source))
                .allSatisfy(event -> assertThat(event.originalTime()).isNotNull());
    }

    private static void erase(PostgresEventStore store) {
        store.erase(
                Query.of(QueryItem.types("Noted")),
                stored -> new Masking.Masked("erased", Event.NO_METADATA, stored.actor(), Set.of()),
                Actor.of("issuer", "office"),
                "request 17");
    }

    @Test
    void an_export_keeps_a_file_with_a_whole_or_another_history(@TempDir Path folder) throws IOException {
        append(source, 2);
        Path whole = Files.write(folder.resolve("whole"), export());
        append(target, 3);
        Path other = Files.write(folder.resolve("other"), Arrays.copyOf(export(target), 500));
        HistoryExport export = new HistoryExport(source, false, HistoryProgress.NONE);

        assertThatThrownBy(() -> export.writeTo(whole))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("has a whole history of 2 events");
        assertThatThrownBy(() -> export.writeTo(other))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("events of another history");
        assertThat(other).hasSize(500);
    }

    private static byte[] export() throws IOException {
        return export(source);
    }

    private static byte[] export(PostgresEventStore store) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        new HistoryExport(store, false, HistoryProgress.NONE).writeTo(file);
        return file.toByteArray();
    }

    private static HistorySummary importInto(byte[] file, boolean behindOthers) throws IOException {
        return new HistoryImport(
                        target, to.address(), StoreDatabase.defaultSettings(), behindOthers, HistoryProgress.NONE)
                .run(() -> new ByteArrayInputStream(file));
    }

    private static InputStream breaking(byte[] file, int at) {
        return new ByteArrayInputStream(file, 0, at) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int length) {
                int read = super.read(bytes, offset, length);
                if (read < 0) {
                    throw new UncheckedIOException(new IOException("The disk is gone"));
                }
                return read;
            }
        };
    }

    private static void append(PostgresEventStore store, int events) {
        for (int done = 0; done < events; done += 1_000) {
            store.append(IntStream.range(done, Math.min(events, done + 1_000))
                    .mapToObj(n -> Event.of(
                            TimeOrderedId.next(), "Noted", List.of(new Tag("note:1")), "{\"n\":" + n + "}", "{}"))
                    .collect(Collectors.toList()));
        }
    }

    private static List<SequencedEvent> events(PostgresEventStore store) {
        try (var events = store.read(Query.all())) {
            return events.stream().toList();
        }
    }

    private static List<UUID> ids(PostgresEventStore store) {
        return events(store).stream().map(event -> event.event().id()).toList();
    }
}
