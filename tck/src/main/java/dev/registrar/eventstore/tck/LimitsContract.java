package dev.registrar.eventstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.StateAt;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The default limits: a request at a limit is accepted; a request beyond one is refused before anything is stored. */
public interface LimitsContract extends StoreUnderTest {
    /** Three bytes in UTF-8. */
    String EURO = "\u20ac";

    /** One character beyond the basic multilingual plane: two of a Java string, and four bytes in UTF-8. */
    String EMOJI = "\ud83c\udf93";

    private static String[] texts(int size, IntFunction<String> text) {
        return IntStream.range(0, size).mapToObj(text).toArray(String[]::new);
    }

    private void assertRefused(String message, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(RefusedInputException.class).hasMessage(message);
        assertThat(store().head().position()).isEqualTo(Position.START);
    }

    private void assertRefused(String message, Event event) {
        assertRefused(message, () -> store().append(List.of(event("Fine"), event)));
    }

    /** Asserts that every operation with a query refuses this query. */
    private void assertRefused(String message, Query query) {
        Positions projection = new Positions(query);
        for (Consumer<Query> use : List.<Consumer<Query>>of(
                store()::read,
                store()::last,
                store()::exists,
                store()::count,
                refused -> store().project(projection),
                refused -> store().project(
                                List.of(StateAt.initial(Positions.of(QueryItem.any())), StateAt.initial(projection))),
                refused -> appendIf(AppendCondition.failIfEventsMatch(refused), event("Fine")))) {
            assertRefused(message, () -> use.accept(query));
        }
    }

    @Test
    default void events_and_appends_beyond_a_limit_are_refused() {
        assertRefused(
                "An append must have at most 1000 events but has 1001",
                () -> store().append(Collections.nCopies(1_001, event("Any"))));
        assertRefused(
                "An event type must have at most 255 characters but has 256: '" + "t".repeat(40) + "\u2026'",
                event("t".repeat(256)));
        assertRefused(
                "A tag must have at most 255 characters but has 300: '" + "t".repeat(40) + "\u2026'",
                event("Any", "t".repeat(300)));
        assertRefused(
                "An event must have at most 50 tags but has 51", event("Any", texts(51, number -> "tag:" + number)));
        Event tenTags = event("Any", texts(10, number -> "tag:" + number));
        assertRefused(
                "An append must have at most 10000 tags of its events but has 10001",
                () -> store().append(Stream.concat(
                                Stream.of(event("Any", texts(11, number -> "tag:" + number))),
                                Stream.generate(() -> tenTags).limit(999))
                        .toList()));
        assertRefused(
                "A payload must have at most 1048576 bytes but has 1048577",
                Event.of("Any", "x".repeat((1 << 20) + 1)));
        assertRefused(
                "A payload must have at most 1048576 bytes but has 1048578", Event.of("Any", EURO.repeat(349_526)));
        assertRefused(
                "Metadata must have at most 1048576 bytes but has 1048577",
                event("Any").withMetadata("x".repeat((1 << 20) + 1)));
    }

    @Test
    default void queries_beyond_a_limit_are_refused() {
        assertRefused(
                "A query must have at most 100 items but has 101",
                Query.of(IntStream.range(0, 101)
                        .mapToObj(number -> QueryItem.tags("tag:" + number))
                        .toArray(QueryItem[]::new)));
        assertRefused(
                "A query item must have at most 100 types but has 101",
                Query.of(QueryItem.types(texts(101, number -> "Type" + number))));
        assertRefused(
                "A query item must have at most 20 tags but has 21",
                Query.of(QueryItem.tags(texts(21, number -> "tag:" + number))));
        assertRefused(
                "An event type must have at most 255 characters but has 256: '" + "t".repeat(40) + "\u2026'",
                Query.of(QueryItem.types("t".repeat(256))));
        assertRefused(
                "A tag must have at most 255 characters but has 256: '" + "t".repeat(40) + "\u2026'",
                Query.of(QueryItem.tags("t".repeat(256))));
    }

    @Test
    default void a_key_and_its_fingerprint_have_at_most_255_characters() {
        String tooLong = "k".repeat(256);
        String message = " must have at most 255 characters but has 256: '" + "k".repeat(40) + "\u2026'";

        IdempotencyKey longKey = new IdempotencyKey(tooLong, "fingerprint");
        assertRefused(
                "An idempotency key" + message,
                () -> store().append(Append.of(event("Any")).under(longKey)));
        assertRefused("An idempotency key" + message, () -> store().appendedUnder(longKey));
        assertRefused(
                "A fingerprint" + message,
                () -> store().append(Append.of(event("Any")).under(new IdempotencyKey("key", tooLong))));
    }

    @Test
    default void an_append_holds_at_most_100_resources_with_names_of_255_characters() {
        assertRefused(
                "An append must have at most 100 resource locks but has 101",
                () -> store().append(Append.of(event("Any"))
                        .holding(ResourceLocks.of(
                                List.of(texts(101, number -> "room:" + number)), Duration.ofSeconds(1)))));
        assertRefused(
                "A resource's name must have at most 255 characters but has 256: '" + "r".repeat(40) + "\u2026'",
                () -> store().append(Append.of(event("Any"))
                        .holding(ResourceLocks.of(List.of("r".repeat(256)), Duration.ofSeconds(1)))));
    }

    @Test
    default void resource_locks_without_names_or_time_are_refused() {
        assertThatThrownBy(() -> ResourceLocks.of(List.of(), Duration.ofSeconds(1)))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("Resource locks must name at least one resource");
        assertThatThrownBy(() -> ResourceLocks.of(List.of(""), Duration.ofSeconds(1)))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("The name of a resource must have at least one character");
        assertThatThrownBy(() -> ResourceLocks.of(List.of("room:1"), Duration.ZERO))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("The timeout of resource locks must be above zero but is PT0S");
    }

    @Test
    default void an_event_at_every_limit_is_stored_and_found() {
        String type = EURO.repeat(255);
        String[] tags = texts(50, number -> EURO.repeat(250) + (10_000 + number));
        String payload = "x" + EURO.repeat(349_525);
        Event event = Event.of(type, payload, tags).withMetadata(payload);

        append(event);

        assertThat(theEvent().event()).isEqualTo(event);
        assertMatches(List.of(1L), QueryItem.types(type).tagged(tags[0]).tagged(tags[49]));
    }

    @Test
    default void characters_beyond_the_basic_plane_count_as_one_each() {
        String type = EMOJI.repeat(255);
        String tag = EMOJI.repeat(254) + "t";

        append(event(type, tag));

        assertMatches(List.of(1L), QueryItem.types(type).tagged(tag));
    }

    @Test
    default void more_than_255_characters_beyond_the_basic_plane_are_refused() {
        assertRefused(
                "An event type must have at most 255 characters but has 256: '" + EMOJI.repeat(40) + "\u2026'",
                event(EMOJI.repeat(256)));
        assertRefused(
                "A tag must have at most 255 characters but has 256: 'a" + EMOJI.repeat(39) + "\u2026'",
                event("Any", "a" + EMOJI.repeat(255)));
        assertRefused(
                "A tag must have at most 255 characters but has 256: '" + EMOJI.repeat(40) + "\u2026'",
                Query.of(QueryItem.tags(EMOJI.repeat(256))));
    }

    @Test
    default void keys_and_resources_of_255_characters_beyond_the_basic_plane_are_accepted() {
        IdempotencyKey key = new IdempotencyKey(EMOJI.repeat(255), EMOJI.repeat(255));
        ResourceLocks locks = ResourceLocks.of(List.of(EMOJI.repeat(255)), Duration.ofSeconds(8));

        assertThat(store().append(Append.of(event("Any")).under(key).holding(locks)))
                .isInstanceOf(Appended.class);
        assertThat(store().appendedUnder(key)).isPresent();
    }

    @Test
    default void a_query_at_every_limit_is_answered() {
        String[] tags = texts(20, number -> "tag:" + number);
        append(event("Type7", tags), event("Type7"));
        QueryItem[] items = IntStream.range(0, 100)
                .mapToObj(item -> QueryItem.types(texts(100, number -> "Type" + (number + item)))
                        .tagged(tags))
                .toArray(QueryItem[]::new);

        assertMatches(List.of(1L), items);
    }

    @Test
    default void an_append_at_every_limit_of_keys_and_locks_is_appended() {
        IdempotencyKey key = new IdempotencyKey(EURO.repeat(255), EURO.repeat(255));
        ResourceLocks locks = ResourceLocks.of(
                List.of(texts(100, number -> EURO.repeat(252) + (100 + number))), Duration.ofSeconds(8));

        assertThat(store().append(Append.of(event("Any")).under(key).holding(locks)))
                .isInstanceOf(Appended.class);
        assertThat(store().appendedUnder(key)).isPresent();
    }

    @Test
    default void the_character_that_no_text_can_hold_is_refused() {
        assertRefusedEverywhere("\u0000", "the character U+0000");
    }

    @Test
    default void unpaired_surrogates_are_refused() {
        assertRefusedEverywhere("\ud83c", "an unpaired surrogate");
        assertRefusedEverywhere("\udf93", "an unpaired surrogate");
        assertRefusedEverywhere("\udf93\ud83c", "an unpaired surrogate");
        assertRefusedEverywhere("\ud83c\ud83c\udf93", "an unpaired surrogate");
    }

    private void assertRefusedEverywhere(String bad, String what) {
        String text = "ab" + bad;
        String ends = " must not contain " + what + ", but does at index 2";
        assertRefused("An event type" + ends, event(text));
        assertRefused("A tag" + ends, event("Any", "fine", text));
        assertRefused("A payload" + ends, Event.of("Any", text));
        assertRefused("Metadata" + ends, event("Any").withMetadata(text));
        assertRefused("An event type" + ends, Query.of(QueryItem.tags("fine"), QueryItem.types("Fine", text)));
        assertRefused("A tag" + ends, Query.of(QueryItem.tags("fine"), QueryItem.tags("fine", text)));
        Append append = Append.of(event("Any"));
        assertRefused(
                "An idempotency key" + ends,
                () -> store().append(append.under(new IdempotencyKey(text, "fingerprint"))));
        assertRefused(
                "An idempotency key" + ends, () -> store().appendedUnder(new IdempotencyKey(text, "fingerprint")));
        assertRefused("A fingerprint" + ends, () -> store().append(append.under(new IdempotencyKey("key", text))));
        assertRefused(
                "A resource's name" + ends,
                () -> store().append(append.holding(ResourceLocks.of(List.of(text), Duration.ofSeconds(1)))));
    }

    @Test
    default void a_refused_request_does_not_use_up_its_key() {
        IdempotencyKey key = new IdempotencyKey("key", "fingerprint");
        assertRefused(
                "A payload must not contain the character U+0000, but does at index 0",
                () -> store().append(Append.of(Event.of("Any", "\u0000")).under(key)));

        assertThat(store().append(Append.of(event("Any")).under(key)))
                .isEqualTo(new Appended(Position.of(1), Position.of(1), false));
    }
}
