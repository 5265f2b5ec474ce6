package dev.registrar.eventstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.QueryItem;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Conditions that require a long search: many events carry each of their tags, and no event or only a late one carries
 * all of them. The results are those of any other condition.
 */
public interface LongLookContract extends StoreUnderTest {
    int EVENTS = 600;
    QueryItem BOTH = QueryItem.tags("a", "b");

    /* Every event carries c, and a or b in turn. No event carries both. */
    private void fill() {
        store().append(IntStream.range(0, EVENTS)
                .mapToObj(i -> event(i % 2 == 0 ? "Even" : "Odd", i % 2 == 0 ? "a" : "b", "c"))
                .toList());
    }

    private static Appended next(long count) {
        return new Appended(Position.of(EVENTS + count), Position.of(EVENTS + count), false);
    }

    static List<QueryItem> itemsThatMatchNothing() {
        return List.of(
                BOTH,
                QueryItem.tags("c", "b", "a"),
                QueryItem.types("Even").tagged("b"),
                QueryItem.types("Even").tagged("b", "c"),
                QueryItem.types("Unknown").tagged("a", "c"));
    }

    @ParameterizedTest
    @MethodSource("itemsThatMatchNothing")
    default void a_condition_that_nothing_matches_lets_the_append_through(QueryItem item) {
        fill();

        assertThat(appendIf(noneMatches(item), event("New"))).isEqualTo(next(1));
        assertThat(appendIf(noneMatches(item).after(Position.of(EVENTS / 3)), event("New")))
                .isEqualTo(next(2));
    }

    static List<QueryItem> itemsThatMatchTheNext() {
        return List.of(
                BOTH,
                QueryItem.tags("c", "b", "a"),
                QueryItem.types("Rare").tagged("c"),
                QueryItem.types("Rare", "Unknown").tagged("b", "a"));
    }

    @ParameterizedTest
    @MethodSource("itemsThatMatchTheNext")
    default void a_condition_that_a_late_event_matches_is_broken_by_the_lowest(QueryItem item) {
        fill();
        append(event("Rare", "a", "b", "c"), event("Rare", "a", "b", "c"));
        fill();

        assertThat(appendIf(noneMatches(item), event("New")))
                .isEqualTo(new Conflict(item, Position.of(EVENTS + 1), "Rare"));
        assertThat(appendIf(noneMatches(item).after(Position.of(EVENTS + 1)), event("New")))
                .isEqualTo(new Conflict(item, Position.of(EVENTS + 2), "Rare"));
        assertThat(appendIf(noneMatches(item).after(Position.of(EVENTS + 2)), event("New")))
                .isInstanceOf(Appended.class);
    }

    @Test
    default void many_items_are_judged_each() {
        fill();
        append(event("Type60", "a", "b"));
        QueryItem[] items = IntStream.range(0, 100)
                .mapToObj(i -> QueryItem.types("Type" + i).tagged(i % 2 == 0 ? "a" : "b", i % 2 == 0 ? "b" : "a"))
                .toArray(QueryItem[]::new);

        assertThat(appendIf(noneMatches(items), event("New")))
                .isEqualTo(new Conflict(items[60], Position.of(EVENTS + 1), "Type60"));
        assertThat(appendIf(noneMatches(items).after(Position.of(EVENTS + 1)), event("New")))
                .isEqualTo(next(2));
    }

    @Test
    default void the_first_item_that_matches_is_named_also_if_another_is_found_sooner() {
        fill();
        append(event("Late", "a", "b"));
        QueryItem soon = QueryItem.tags("a");

        assertThat(appendIf(noneMatches(QueryItem.types("Unknown").tagged("c"), BOTH, soon), event("New")))
                .isEqualTo(new Conflict(BOTH, Position.of(EVENTS + 1), "Late"));
        assertThat(appendIf(noneMatches(soon, BOTH), event("New")))
                .isEqualTo(new Conflict(soon, Position.of(1), "Even"));
    }

    @Test
    default void a_repetition_and_a_reused_key_are_reported_before_a_late_match() {
        fill();
        append(event("Late", "a", "b"));
        Append keyed = Append.of(event("New")).under(new IdempotencyKey("key", "f"));
        store().append(keyed);

        assertThat(store().append(keyed.onCondition(noneMatches(BOTH))))
                .isEqualTo(new Appended(Position.of(EVENTS + 2), Position.of(EVENTS + 2), true));
        assertThatThrownBy(() -> store().append(Append.of(event("New"))
                        .under(new IdempotencyKey("key", "g"))
                        .onCondition(noneMatches(BOTH))))
                .isInstanceOf(IdempotencyKeyReusedException.class);
    }

    @Test
    default void a_lost_head_is_reported_before_a_late_match() {
        fill();
        append(event("Late", "a", "b"));
        Head lost = new Head(Position.of(1), store().head().incarnation(), UUID.randomUUID());

        assertThat(appendIf(noneMatches(BOTH).after(lost), event("New"))).isEqualTo(new StoreReplaced());
    }
}
