package dev.registrar.eventstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Streams: complete at any length, ended at the head of their opening, read once, closed afterwards. */
public interface StreamContract extends StoreUnderTest {

    private void givenSixEvents() {
        append(event("One"), event("Two"), event("Three"), event("Four"), event("Five"), event("Six"));
    }

    /** Many chunks of a store that reads in chunks, for every shape of query item. */
    @Test
    default void a_long_read_has_every_event_once_whatever_its_query() {
        for (int batch = 0; batch < 2; batch++) {
            store().append(IntStream.range(0, 1_000)
                    .mapToObj(number -> event("Type" + number % 3, "any", "n:" + number % 2))
                    .toList());
        }

        for (Query query : List.of(
                Query.all(),
                Query.of(QueryItem.types("Type0")),
                Query.of(QueryItem.types("Type0", "Type2")),
                Query.of(QueryItem.types("Type1", "Unknown", "Type0", "Type2")),
                Query.of(QueryItem.tags("any")),
                Query.of(QueryItem.tags("any", "n:1")),
                Query.of(QueryItem.types("Type0", "Type1").tagged("n:1")),
                Query.of(QueryItem.types("Type0", "Type1").tagged("n:1", "any")),
                Query.of(QueryItem.types("Type0", "Type1"), QueryItem.tags("n:0"), QueryItem.types("Type2")),
                Query.of(QueryItem.any(), QueryItem.types("Type0", "Type1")))) {
            List<Long> matching = store().read(Query.all()).stream()
                    .filter(event -> query.matches(event.event()))
                    .map(event -> event.position().value())
                    .toList();
            assertMatches(matching, query.items().toArray(QueryItem[]::new));
            assertThat(read(query, ReadOptions.forwards().limit(100))).isEqualTo(matching.subList(0, 100));
            assertThat(read(query, ReadOptions.backwards().limit(100)))
                    .isEqualTo(matching.reversed().subList(0, 100));
        }
        assertThat(read(Query.all(), ReadOptions.forwards()))
                .isEqualTo(LongStream.rangeClosed(1, 2_000).boxed().toList());
    }

    @Test
    default void a_stream_ends_at_the_head_it_saw_when_it_was_opened() {
        for (ReadOptions options : List.of(ReadOptions.forwards(), ReadOptions.backwards())) {
            clear();
            store().append(IntStream.range(0, 200)
                    .mapToObj(number -> event("Before"))
                    .toList());

            List<String> types = new ArrayList<>();
            try (EventStream events = store().read(Query.all(), options)) {
                Head head = store().head();
                while (events.hasNext()) {
                    types.add(events.next().event().type());
                    append(event("WhileReading"));
                }
                assertThat(events.head()).isEqualTo(head);
            }

            assertThat(types).hasSize(200).containsOnly("Before");
        }
    }

    @Test
    default void the_head_of_a_stream_is_the_end_of_the_store_whatever_matched() {
        givenSixEvents();
        Head head = store().head();

        assertThat(head.position()).isEqualTo(Position.of(6));
        assertThat(head.lastEventId())
                .isEqualTo(store().last(Query.all()).orElseThrow().event().id());
        for (ReadOptions options : List.of(
                ReadOptions.forwards(),
                ReadOptions.forwards().limit(1),
                ReadOptions.forwards().after(Position.of(123)),
                ReadOptions.backwards().from(Position.of(2)))) {
            assertThat(store().read(Query.all(), options).head()).isEqualTo(head);
            assertThat(store().read(Query.of(QueryItem.tags("unused")), options).head())
                    .isEqualTo(head);
        }
    }

    @Test
    default void streams_do_not_disturb_each_other() {
        givenSixEvents();

        try (EventStream one = store().read(Query.all());
                EventStream other = store().read(Query.all(), ReadOptions.backwards())) {
            assertThat(one.next().position()).isEqualTo(Position.of(1));
            assertThat(other.next().position()).isEqualTo(Position.of(6));
            assertThat(one.next().position()).isEqualTo(Position.of(2));
            assertThat(other.next().position()).isEqualTo(Position.of(5));
        }
    }

    @Test
    default void asking_whether_there_is_another_event_does_not_consume_it() {
        givenSixEvents();

        try (EventStream events = store().read(Query.all())) {
            assertThat(events.hasNext()).isTrue();
            assertThat(events.hasNext()).isTrue();
            assertThat(events.next().position()).isEqualTo(Position.of(1));
            assertThat(positions(events)).containsExactly(2L, 3L, 4L, 5L, 6L);
            assertThat(events.hasNext()).isFalse();
        }
    }

    @Test
    default void a_stream_that_has_ended_has_no_next_event() {
        try (EventStream events = store().read(Query.all())) {
            assertThatThrownBy(events::next).isInstanceOf(NoSuchElementException.class);
        }
    }

    @Test
    default void a_closed_stream_refuses_to_go_on() {
        givenSixEvents();
        EventStream events = store().read(Query.all());
        Position first = events.next().position();

        events.close();
        events.close();

        assertThat(first).isEqualTo(Position.of(1));
        assertThatIllegalStateException().isThrownBy(events::hasNext);
        assertThatIllegalStateException().isThrownBy(events::next);
        assertThat(events.head()).isEqualTo(store().head());
    }

    @Test
    default void closing_the_stream_of_a_read_closes_the_read() {
        givenSixEvents();
        EventStream events = store().read(Query.all());

        try (Stream<SequencedEvent> stream = events.stream()) {
            assertThat(stream.findFirst().orElseThrow().position()).isEqualTo(Position.of(1));
        }

        assertThatIllegalStateException().isThrownBy(events::hasNext);
    }
}
