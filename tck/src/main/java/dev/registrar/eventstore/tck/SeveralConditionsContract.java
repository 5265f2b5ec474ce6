package dev.registrar.eventstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StateAt;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An append on several conditions succeeds if all hold, each after its own position and on its own head. */
public interface SeveralConditionsContract extends StoreUnderTest {

    private AppendResult appendIfAll(List<AppendCondition> conditions, Event... events) {
        return store().append(Append.of(events).onConditions(conditions));
    }

    private AppendCondition noneAfter(int position, QueryItem item) {
        return noneMatches(item).after(Position.of(position));
    }

    /** Appends of one event and of two, since a store may treat a single event differently. */
    private void assertConflict(Conflict expected, AppendCondition... conditions) {
        assertThat(appendIfAll(List.of(conditions), event("Any"))).isEqualTo(expected);
        assertThat(appendIfAll(List.of(conditions), event("Any"), event("Other")))
                .isEqualTo(expected);
    }

    @Test
    default void each_condition_looks_after_its_own_position() {
        append(event("One", "a"), event("Two", "b"), event("Three", "c"));
        List<AppendCondition> conditions =
                List.of(noneAfter(1, QueryItem.tags("a")), noneAfter(2, QueryItem.tags("b")));

        assertThat(appendIfAll(conditions, event("Four"))).isInstanceOf(Appended.class);
        assertThat(appendIfAll(conditions, event("Five"), event("Six"))).isInstanceOf(Appended.class);
    }

    @Test
    default void a_match_between_two_positions_breaks_the_condition_that_looks_back_farther() {
        append(event("One", "a"), event("Two", "b"), event("Three", "a"), event("Four", "b"));

        assertConflict(
                new Conflict(QueryItem.tags("a"), Position.of(3), "Three"),
                noneAfter(4, QueryItem.tags("b")),
                noneAfter(1, QueryItem.tags("a")));
        assertConflict(
                new Conflict(QueryItem.tags("b"), Position.of(4), "Four"),
                noneAfter(2, QueryItem.tags("b")),
                noneAfter(3, QueryItem.tags("a")));
    }

    @Test
    default void the_first_broken_condition_is_the_one_that_is_named() {
        append(event("One", "a"), event("Two", "b"));

        assertConflict(
                new Conflict(QueryItem.types("Two"), Position.of(2), "Two"),
                noneMatches(QueryItem.tags("unused")),
                noneMatches(QueryItem.tags("unused-too"), QueryItem.types("Two")),
                noneMatches(QueryItem.tags("a")));
    }

    @Test
    default void the_same_query_twice_looks_back_to_the_lower_position() {
        append(event("One", "a"), event("Two", "a"));

        assertConflict(
                new Conflict(QueryItem.tags("a"), Position.of(2), "Two"),
                noneAfter(2, QueryItem.tags("a")),
                noneAfter(1, QueryItem.tags("a")));
    }

    @Test
    default void one_lost_head_of_several_is_enough() {
        append(event("One", "a"));
        Head one = store().head();
        append(event("Two", "b"));
        Head two = store().head();
        Head lost = new Head(two.position(), two.incarnation(), UUID.randomUUID());
        AppendCondition onOne = noneMatches(QueryItem.tags("a")).after(one);
        AppendCondition onTwo = noneMatches(QueryItem.tags("b")).after(two);
        AppendCondition onLost = noneMatches(QueryItem.tags("b")).after(lost);

        for (Event[] events : List.of(new Event[] {event("Three")}, new Event[] {event("Three"), event("Four")})) {
            assertThat(appendIfAll(List.of(onOne, onLost), events)).isEqualTo(new StoreReplaced());
            assertThat(appendIfAll(List.of(onLost, onOne), events)).isEqualTo(new StoreReplaced());
            assertThat(appendIfAll(List.of(onOne, onTwo), events)).isInstanceOf(Appended.class);
        }
    }

    @Test
    default void a_lost_head_is_reported_before_a_conflict() {
        append(event("One", "a"));
        Head head = store().head();
        Head lost = new Head(head.position(), head.incarnation(), UUID.randomUUID());

        assertThat(appendIfAll(
                        List.of(
                                noneMatches(QueryItem.tags("a")),
                                noneMatches(QueryItem.tags("b")).after(lost)),
                        event("Two")))
                .isEqualTo(new StoreReplaced());
    }

    @Test
    default void states_of_different_heads_guard_each_from_its_own() {
        Positions ofA = Positions.of(QueryItem.tags("a"));
        Positions ofB = Positions.of(QueryItem.tags("b"));
        append(event("One", "a"));
        StateAt<?> older = store().project(ofA).states().getFirst();
        append(event("Two", "b"));
        StateAt<?> newer = store().project(ofB).states().getFirst();
        List<AppendCondition> conditions = AppendCondition.guarding(List.of(older, newer));

        assertThat(conditions).extracting(AppendCondition::basis).containsExactly(older.head(), newer.head());
        assertThat(appendIfAll(conditions, event("Three", "a"))).isInstanceOf(Appended.class);
        assertThat(appendIfAll(conditions, event("Four", "b")))
                .isEqualTo(new Conflict(QueryItem.tags("a"), Position.of(3), "Three"));
    }

    @Test
    default void states_of_one_head_share_a_condition() {
        append(event("One", "a"));
        Projected projected = store().project(Positions.of(QueryItem.tags("a")), Positions.of(QueryItem.tags("b")));

        assertThat(AppendCondition.guarding(projected.states())).containsExactly(projected.appendCondition());
    }

    @Test
    default void a_state_that_was_never_read_guards_nothing() {
        StateAt<?> initial = StateAt.initial(Positions.of(QueryItem.tags("a")));

        assertThatThrownBy(() -> AppendCondition.guarding(List.of(initial)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has no head");
    }

    @Test
    default void conditions_that_guard_no_state_are_refused() {
        assertThatThrownBy(() -> AppendCondition.guarding(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void conditions_have_at_most_100_items_together() {
        List<AppendCondition> conditions = IntStream.rangeClosed(0, 100)
                .mapToObj(i -> noneMatches(QueryItem.tags("t" + i)))
                .toList();

        assertThatThrownBy(() -> appendIfAll(conditions, event("One")))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("An append must have at most 100 items in its conditions but has 101");
        assertThat(appendIfAll(conditions.subList(0, 100), event("One"))).isInstanceOf(Appended.class);
    }
}
