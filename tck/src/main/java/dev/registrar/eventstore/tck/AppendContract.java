package dev.registrar.eventstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Appending: one or more events (S15, S16) atomically (S4); positions unique and increasing (S12, S13), here without
 * the gaps that S14 allows; all parts of an event (S10, S11, S17 to S20) are read back.
 */
public interface AppendContract extends StoreUnderTest {

    @Test
    default void the_first_event_has_position_1() {
        assertThat(store().append(List.of(event("First"))))
                .isEqualTo(new Appended(Position.of(1), Position.of(1), false));
        assertThat(theEvent().position()).isEqualTo(Position.of(1));
    }

    @Test
    default void the_events_of_one_append_have_contiguous_positions_in_their_order() {
        append(event("Before"));

        Appended appended = append(event("One"), event("Two"), event("Three"));

        assertThat(appended).isEqualTo(new Appended(Position.of(2), Position.of(4), false));
        assertThat(store().read(Query.all()).stream().map(event -> event.event().type()))
                .containsExactly("Before", "One", "Two", "Three");
    }

    @Test
    default void positions_increase_without_gaps_over_many_appends() {
        List<Appended> appends = IntStream.rangeClosed(1, 20)
                .mapToObj(size -> append(IntStream.range(0, size)
                        .mapToObj(number -> event("Any"))
                        .toArray(Event[]::new)))
                .toList();

        long next = 1;
        for (int size = 1; size <= 20; size++) {
            assertThat(appends.get(size - 1))
                    .isEqualTo(new Appended(Position.of(next), Position.of(next + size - 1), false));
            next += size;
        }
        assertThat(read(Query.all(), ReadOptions.forwards()))
                .isEqualTo(LongStream.rangeClosed(1, 210).boxed().toList());
    }

    @Test
    default void a_thousand_events_are_one_append() {
        List<Event> events = IntStream.range(0, 1_000)
                .mapToObj(number -> Event.of("Any", Integer.toString(number), "n:" + number))
                .toList();

        assertThat(store().append(events)).isEqualTo(new Appended(Position.of(1), Position.of(1_000), false));

        assertThat(store().read(Query.all()).stream().map(SequencedEvent::event))
                .containsExactlyElementsOf(events);
    }

    @Test
    default void an_append_without_events_is_refused() {
        assertThatThrownBy(() -> Append.of(List.of()))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("An append must have at least one event");
        assertThatThrownBy(() -> store().append(List.of())).isInstanceOf(RefusedInputException.class);
    }

    @Test
    default void a_rejected_append_stores_none_of_its_events() {
        append(event("Taken", "name:1"));

        AppendResult rejected = appendIf(noneMatches(QueryItem.tags("name:1")), event("One", "x"), event("Two", "x"));

        assertThat(rejected).isInstanceOf(Conflict.class);
        assertMatches(List.of(), QueryItem.tags("x"));
        assertThat(store().head().position()).isEqualTo(Position.of(1));
    }

    @Test
    default void a_rejected_append_uses_up_no_positions() {
        append(event("Taken", "name:1"));
        appendIf(noneMatches(QueryItem.tags("name:1")), event("One"), event("Two"));

        assertThat(append(event("Next")).first()).isEqualTo(Position.of(2));
    }

    @Test
    default void an_append_is_seen_by_the_reads_after_it() {
        Appended appended = append(event("One", "tag"), event("Two", "tag"));

        for (EventStore instance : instances()) {
            assertThat(instance.head().position()).isEqualTo(appended.last());
            assertThat(instance.count(Query.of(QueryItem.tags("tag")))).isEqualTo(2);
        }
    }

    @Test
    default void an_event_without_tags_is_found_by_its_type() {
        append(event("Lonely"), event("Tagged", "tag"));

        assertThat(store().read(Query.of(QueryItem.types("Lonely")))
                        .next()
                        .event()
                        .tags())
                .isEmpty();
        assertMatches(List.of(1L), QueryItem.types("Lonely"));
    }

    @Test
    default void tags_come_back_all_of_them_in_their_order_whatever_the_query_names() {
        append(event("Any", "z", "a", "m"));

        SequencedEvent read =
                store().read(Query.of(QueryItem.types("Any").tagged("a"))).next();

        assertThat(read.event().tags()).containsExactly(Tag.of("z"), Tag.of("a"), Tag.of("m"));
    }

    @Test
    default void a_tag_given_twice_is_carried_once() {
        append(event("Any", "twice", "once", "twice"));

        assertThat(theEvent().event().tags()).containsExactly(Tag.of("twice"), Tag.of("once"));
        assertMatches(List.of(1L), QueryItem.tags("twice"));
        assertMatches(List.of(1L), QueryItem.tags("twice", "once"));
    }

    @Test
    default void an_event_without_a_type_and_a_tag_without_a_letter_are_refused() {
        assertThatThrownBy(() -> event(""))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("An event type must have at least one character");
        assertThatThrownBy(() -> event("Any", ""))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("A tag must have at least one character");
    }

    @Test
    default void the_id_of_an_event_comes_back() {
        UUID id = UUID.fromString("ffeeddcc-bbaa-4998-8776-655443322110");

        append(new Event(id, "Any", new LinkedHashSet<>(), "{}", Event.NO_METADATA));

        assertThat(theEvent().event().id()).isEqualTo(id);
        assertThat(store().head().lastEventId()).isEqualTo(id);
    }

    @Test
    default void two_events_may_have_the_same_id() {
        Event event = event("Any", "tag");

        append(event, event);
        append(event);

        assertThat(store().read(Query.all()).stream().map(SequencedEvent::event))
                .containsExactly(event, event, event);
        assertMatches(List.of(1L, 2L, 3L), QueryItem.tags("tag"));
    }

    @Test
    default void new_events_have_time_ordered_ids_of_their_own() {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ids.add(event("Any").id());
        }

        assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.version() == 7);
    }

    @Test
    default void metadata_comes_back_byte_for_byte() {
        String metadata = "{ \"b\":1.0,\"a\" : [\"x\\ty\"], \"correlation\":\"\u00e9\ud83c\udf93\" }\n";

        append(event("Any").withMetadata(metadata), event("Any"));

        assertThat(store().read(Query.all()).stream().map(event -> event.event().metadata()))
                .containsExactly(metadata, "{}");
    }

    @Test
    default void events_are_stamped_by_the_clock_of_the_store() {
        append(event("One"), event("Two"));
        clock().advance(Duration.ofMinutes(5));
        append(event("Three"));

        Instant start = Instant.parse("2026-09-01T08:00:00.123456Z");
        assertThat(store().read(Query.all()).stream().map(SequencedEvent::recordedAt))
                .containsExactly(start, start, start.plus(Duration.ofMinutes(5)));
    }

    @Test
    default void the_time_of_an_event_is_cut_to_the_microsecond_not_rounded() {
        clock().set(Instant.parse("2026-09-01T08:00:00.123456999Z"));

        append(event("Any"));

        assertThat(theEvent().recordedAt()).isEqualTo(Instant.parse("2026-09-01T08:00:00.123456Z"));
    }

    @Test
    default void a_clock_that_is_set_back_changes_no_order() {
        append(event("One"));
        clock().advance(Duration.ofDays(-400));
        append(event("Two"));

        assertThat(store().read(Query.all()).stream().map(event -> event.event().type()))
                .containsExactly("One", "Two");
    }

    @Test
    default void recorded_times_never_run_backwards_along_positions() {
        append(event("One"));
        clock().advance(Duration.ofHours(-1));
        append(event("Two"));
        append(event("Three"), event("Four"));
        clock().advance(Duration.ofHours(2));
        append(event("Five"));

        Instant start = Instant.parse("2026-09-01T08:00:00.123456Z");
        assertThat(store().read(Query.all()).stream().map(SequencedEvent::recordedAt))
                .containsExactly(start, start, start, start, start.plus(Duration.ofHours(1)));
    }

    @Test
    default void an_append_may_hold_named_resources() {
        Append append = Append.of(event("Any"))
                .holding(ResourceLocks.of(List.of("room:1", "teacher:7"), Duration.ofSeconds(8)));

        assertThat(store().append(append)).isEqualTo(new Appended(Position.of(1), Position.of(1), false));
        assertThat(store().append(append)).isEqualTo(new Appended(Position.of(2), Position.of(2), false));
    }

    @Test
    default void an_append_that_holds_resources_is_judged_like_any_other() {
        append(event("Any", "tag"));
        ResourceLocks room = ResourceLocks.of(List.of("room:1"), Duration.ofSeconds(8));

        AppendResult rejected = store().append(Append.of(event("Any"))
                .onCondition(noneMatches(QueryItem.tags("tag")))
                .holding(room));
        AppendResult next = store().append(Append.of(event("Any")).holding(room));

        assertThat(rejected).isInstanceOf(Conflict.class);
        assertThat(next).isInstanceOf(Appended.class);
    }
}
