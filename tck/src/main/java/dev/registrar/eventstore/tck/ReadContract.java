package dev.registrar.eventstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** Reading: from a position (S2), in order and limited (S3), with positions (S10 to S13). */
public interface ReadContract extends StoreUnderTest {
    Position BEYOND = Position.of(123);

    /** Events a to f at the positions 1 to 6. */
    private void givenSixEvents() {
        append(
                Event.of("SomeEventType", "\"a\"", "foo:bar", "baz:foos"),
                Event.of("SomeOtherEventType", "\"b\"", "foo:bar"),
                Event.of("SomeEventType", "\"c\"", "foo:bar"),
                Event.of("SomeThirdEventType", "\"d\"", "foo:bar", "baz:foos"),
                Event.of("SomeEventType", "\"e\"", "foo:bar", "baz:foos"),
                Event.of("SomeOtherEventType", "\"f\"", "foo:bar", "baz:foos"));
    }

    private List<Long> all(ReadOptions options) {
        return read(Query.all(), options);
    }

    @Test
    default void an_empty_store_has_nothing_to_read() {
        assertMatches(List.of(), QueryItem.any());
        assertThat(all(ReadOptions.forwards().after(BEYOND))).isEmpty();
        assertThat(all(ReadOptions.backwards().from(BEYOND))).isEmpty();
    }

    @Test
    default void the_head_of_an_empty_store_is_the_start() {
        Head head = store().head();

        assertThat(head.position()).isEqualTo(Position.START);
        assertThat(head.lastEventId()).isNull();
        assertThat(store().read(Query.all()).head()).isEqualTo(head);
    }

    @Test
    default void events_are_read_in_the_order_they_were_appended_in() {
        givenSixEvents();

        List<SequencedEvent> events = store().read(Query.all()).toList();

        assertThat(events).extracting(event -> event.position().value()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(events)
                .extracting(event -> event.event().payload())
                .containsExactly("\"a\"", "\"b\"", "\"c\"", "\"d\"", "\"e\"", "\"f\"");
        assertThat(events)
                .extracting(event -> event.event().type())
                .containsExactly(
                        "SomeEventType",
                        "SomeOtherEventType",
                        "SomeEventType",
                        "SomeThirdEventType",
                        "SomeEventType",
                        "SomeOtherEventType");
        assertThat(events.get(2).event().tags()).containsExactly(Tag.of("foo:bar"));
        assertThat(events.get(3).event().tags()).containsExactly(Tag.of("foo:bar"), Tag.of("baz:foos"));
    }

    @Test
    default void from_is_inclusive_and_after_is_exclusive_in_both_directions() {
        givenSixEvents();

        assertThat(all(ReadOptions.forwards().from(Position.of(4)))).containsExactly(4L, 5L, 6L);
        assertThat(all(ReadOptions.backwards().from(Position.of(4)))).containsExactly(4L, 3L, 2L, 1L);

        assertThat(all(ReadOptions.forwards().after(Position.of(4)))).containsExactly(5L, 6L);
        assertThat(all(ReadOptions.backwards().after(Position.of(4)))).containsExactly(3L, 2L, 1L);

        assertThat(all(ReadOptions.forwards().from(BEYOND))).isEmpty();
        assertThat(all(ReadOptions.forwards().after(BEYOND))).isEmpty();
        assertThat(all(ReadOptions.forwards().after(Position.of(Long.MAX_VALUE))))
                .isEmpty();
        assertThat(all(ReadOptions.backwards().from(BEYOND))).hasSize(6);
        assertThat(all(ReadOptions.backwards().after(BEYOND))).hasSize(6);
        assertThat(all(ReadOptions.backwards().after(Position.of(Long.MAX_VALUE))))
                .hasSize(6);

        assertThat(all(ReadOptions.forwards().from(Position.START))).hasSize(6);
        assertThat(all(ReadOptions.forwards().after(Position.START))).hasSize(6);
        assertThat(all(ReadOptions.backwards().from(Position.START))).isEmpty();
        assertThat(all(ReadOptions.backwards().after(Position.START))).isEmpty();

        assertThat(all(ReadOptions.backwards().from(Position.of(1)))).containsExactly(1L);
        assertThat(all(ReadOptions.backwards().after(Position.of(1)))).isEmpty();

        assertThat(all(ReadOptions.forwards().limit(3))).containsExactly(1L, 2L, 3L);
        assertThat(all(ReadOptions.backwards().limit(3))).containsExactly(6L, 5L, 4L);
        assertThat(all(ReadOptions.forwards().limit(Long.MAX_VALUE))).hasSize(6);
    }

    @Test
    default void to_is_inclusive_in_both_directions() {
        givenSixEvents();

        assertThat(all(ReadOptions.forwards().to(Position.of(2)))).containsExactly(1L, 2L);
        assertThat(all(ReadOptions.backwards().to(Position.of(5)))).containsExactly(6L, 5L);
        assertThat(all(ReadOptions.forwards().from(Position.of(2)).to(Position.of(4))))
                .containsExactly(2L, 3L, 4L);
        assertThat(all(ReadOptions.backwards().after(Position.of(4)).to(Position.of(2))))
                .containsExactly(3L, 2L);
        assertThat(all(ReadOptions.forwards()
                        .after(Position.of(2))
                        .to(Position.of(6))
                        .limit(2)))
                .containsExactly(3L, 4L);

        assertThat(all(ReadOptions.forwards().to(BEYOND))).hasSize(6);
        assertThat(all(ReadOptions.backwards().to(Position.START))).hasSize(6);
        assertThat(all(ReadOptions.backwards().to(BEYOND))).isEmpty();
        assertThat(all(ReadOptions.forwards().to(Position.START))).isEmpty();
        assertThat(all(ReadOptions.forwards().from(Position.of(4)).to(Position.of(3))))
                .isEmpty();
    }

    @Test
    default void a_limit_of_zero_reads_nothing_but_the_head() {
        givenSixEvents();

        try (EventStream none = store().read(Query.all(), ReadOptions.forwards().limit(0))) {
            assertThat(none.hasNext()).isFalse();
            assertThat(none.head()).isEqualTo(store().head());
        }
        assertThat(all(ReadOptions.backwards().limit(0))).isEmpty();
    }

    @Test
    default void from_and_after_together_are_refused() {
        assertThatThrownBy(() -> ReadOptions.forwards().from(Position.of(1)).after(Position.of(2)))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("A read must start either from a position or after one, but has both: from 1, after 2");
        assertThatThrownBy(() -> ReadOptions.backwards().after(Position.of(1)).from(Position.of(2)))
                .isInstanceOf(RefusedInputException.class);
    }

    @Test
    default void a_negative_limit_or_position_is_refused() {
        assertThatThrownBy(() -> ReadOptions.forwards().limit(-1))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("The limit of a read must be 0 or more but is -1");
        assertThatThrownBy(() -> Position.of(-1))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("A position must be 0 or more but is -1");
    }

    /** Every window of every query, compared with the same window of all matching events. */
    @Test
    default void options_do_not_change_which_events_match() {
        givenSixEvents();

        for (QueryItem item : List.of(
                QueryItem.any(),
                QueryItem.types("SomeOtherEventType", "SomeEventType", "SomeThirdEventType"),
                QueryItem.tags("baz:foos"),
                QueryItem.types("SomeEventType", "SomeOtherEventType").tagged("baz:foos", "foo:bar"))) {
            List<Long> matching = read(Query.of(item), ReadOptions.forwards());
            for (long bound = 0; bound <= 7; bound += 3) {
                long at = bound;
                Position position = Position.of(at);
                for (long limit : new long[] {1, 7}) {
                    assertThat(read(
                                    Query.of(item),
                                    ReadOptions.forwards().from(position).limit(limit)))
                            .isEqualTo(window(matching, each -> each >= at, limit));
                    assertThat(read(
                                    Query.of(item),
                                    ReadOptions.forwards().after(position).limit(limit)))
                            .isEqualTo(window(matching, each -> each > at, limit));
                    assertThat(read(
                                    Query.of(item),
                                    ReadOptions.backwards().from(position).limit(limit)))
                            .isEqualTo(window(matching.reversed(), each -> each <= at, limit));
                    assertThat(read(
                                    Query.of(item),
                                    ReadOptions.backwards().after(position).limit(limit)))
                            .isEqualTo(window(matching.reversed(), each -> each < at, limit));
                }
            }
        }
    }

    private static List<Long> window(List<Long> matching, LongFunction<Boolean> inside, long limit) {
        return matching.stream().filter(inside::apply).limit(limit).toList();
    }
}
