package dev.registrar.eventstore.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The content of a conflict: the first item that matched, in the query's order, and its lowest match. */
public interface ConflictContract extends StoreUnderTest {

    private Conflict conflict(AppendCondition condition) {
        return (Conflict) appendIf(condition, event("Any"));
    }

    @Test
    default void a_conflict_names_the_lowest_match_of_its_item() {
        append(event("Zero"), event("One", "tag"), event("Two", "tag"));

        assertThat(conflict(noneMatches(QueryItem.tags("tag"))))
                .isEqualTo(new Conflict(QueryItem.tags("tag"), Position.of(2), "One"));
    }

    @Test
    default void a_conflict_names_the_lowest_match_after_the_position() {
        append(event("One", "tag"), event("Two", "tag"), event("Three", "tag"));

        assertThat(conflict(noneMatches(QueryItem.tags("tag")).after(Position.of(1))))
                .isEqualTo(new Conflict(QueryItem.tags("tag"), Position.of(2), "Two"));
    }

    @Test
    default void a_conflict_names_the_first_item_even_if_another_matches_an_earlier_event() {
        append(event("One", "a"), event("Two", "b"));

        assertThat(conflict(noneMatches(QueryItem.tags("b"), QueryItem.tags("a"))))
                .isEqualTo(new Conflict(QueryItem.tags("b"), Position.of(2), "Two"));
        assertThat(conflict(noneMatches(QueryItem.tags("a"), QueryItem.tags("b"))))
                .isEqualTo(new Conflict(QueryItem.tags("a"), Position.of(1), "One"));
    }

    @Test
    default void a_conflict_passes_over_items_that_match_nothing() {
        append(event("One", "a"), event("Two", "b"));

        assertThat(conflict(noneMatches(QueryItem.tags("c"), QueryItem.types("Three"), QueryItem.types("Two"))))
                .isEqualTo(new Conflict(QueryItem.types("Two"), Position.of(2), "Two"));
    }

    @Test
    default void a_conflict_names_the_first_of_items_that_match_the_same_event() {
        append(event("One", "a", "b"));

        QueryItem narrow = QueryItem.types("One").tagged("a", "b");
        assertThat(conflict(noneMatches(narrow, QueryItem.tags("a"), QueryItem.any()))
                        .item())
                .isEqualTo(narrow);
        assertThat(conflict(noneMatches(QueryItem.any(), narrow)).item()).isEqualTo(QueryItem.any());
    }

    @Test
    default void a_conflict_over_several_types_names_the_type_of_the_lowest_match() {
        append(event("Three", "a"), event("Two", "a"), event("One", "a"));

        QueryItem item = QueryItem.types("One", "Two").tagged("a");
        assertThat(conflict(noneMatches(item))).isEqualTo(new Conflict(item, Position.of(2), "Two"));
        QueryItem untagged = QueryItem.types("One", "Two");
        assertThat(conflict(noneMatches(untagged))).isEqualTo(new Conflict(untagged, Position.of(2), "Two"));
    }

    @Test
    default void a_conflict_over_several_tags_names_the_lowest_event_with_all_of_them() {
        append(event("One", "a"), event("Two", "b"), event("Three", "b", "a"), event("Four", "a", "b"));

        QueryItem item = QueryItem.tags("a", "b");
        assertThat(conflict(noneMatches(item))).isEqualTo(new Conflict(item, Position.of(3), "Three"));
    }

    @Test
    default void a_conflict_with_all_names_the_first_event_after_the_position() {
        append(event("One"), event("Two"));

        assertThat(conflict(AppendCondition.failIfEventsMatch(Query.all())))
                .isEqualTo(new Conflict(QueryItem.any(), Position.of(1), "One"));
        assertThat(conflict(AppendCondition.failIfEventsMatch(Query.all()).after(Position.of(1))))
                .isEqualTo(new Conflict(QueryItem.any(), Position.of(2), "Two"));
    }

    @Test
    default void every_order_of_items_names_its_own_first() {
        append(event("One", "a", "c"), event("Two", "b"), event("Three", "c"));
        List<QueryItem> items = List.of(QueryItem.tags("c"), QueryItem.types("Three"), QueryItem.tags("b"));
        List<Long> lowest = List.of(1L, 3L, 2L);

        for (int first = 0; first < 3; first++) {
            QueryItem[] order = new QueryItem[3];
            for (int i = 0; i < 3; i++) {
                order[i] = items.get((first + i) % 3);
            }
            assertThat(conflict(noneMatches(order)))
                    .as(Arrays.toString(order))
                    .extracting(Conflict::item, conflict -> conflict.position().value())
                    .containsExactly(items.get(first), lowest.get(first));
        }
    }
}
