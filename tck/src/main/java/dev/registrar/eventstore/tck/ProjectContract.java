package dev.registrar.eventstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StateAt;
import dev.registrar.eventstore.StoreTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Projections: the events that they fold, the heads of their states, and the condition that guards a decision on them.
 */
public interface ProjectContract extends StoreUnderTest {
    Positions OF_A = Positions.of(QueryItem.tags("a"));
    Positions OF_B = Positions.of(QueryItem.tags("b"));
    Positions OF_NOBODY = Positions.of(QueryItem.tags("unused"));

    /** A projection that counts its calls. */
    record Counting(Query query, AtomicInteger folded) implements Projection<List<Long>> {
        static Counting of(QueryItem... items) {
            return new Counting(Query.of(items), new AtomicInteger());
        }

        @Override
        public List<Long> initial() {
            return List.of();
        }

        @Override
        public List<Long> apply(List<Long> state, SequencedEvent event) {
            folded.incrementAndGet();
            return new Positions(query).apply(state, event);
        }
    }

    /** Events about a, b, both and neither at the positions 1 to 4. */
    private void givenFourEvents() {
        append(event("One", "a"), event("Two", "b"), event("Three", "a", "b"), event("Four", "c"));
    }

    @Test
    default void the_state_of_a_projection_on_an_empty_store_is_its_initial_one() {
        Projected projected = store().project(OF_A);

        assertThat(projected.state(OF_A)).isEmpty();
        assertThat(projected.head()).isEqualTo(store().head());
        assertThat(projected.lastRead()).isNull();
    }

    @Test
    default void a_projection_folds_the_events_of_its_query_in_order() {
        givenFourEvents();

        assertThat(store().project(OF_A).state(OF_A)).containsExactly(1L, 3L);
    }

    @Test
    default void several_projections_fold_only_their_own_events() {
        givenFourEvents();

        Projected projected = store().project(OF_A, OF_NOBODY, OF_B);

        assertThat(projected.state(OF_A)).containsExactly(1L, 3L);
        assertThat(projected.state(OF_B)).containsExactly(2L, 3L);
        assertThat(projected.state(OF_NOBODY)).isEmpty();
    }

    @Test
    default void states_come_back_in_the_order_asked_for_and_all_at_one_head() {
        givenFourEvents();

        Projected projected = store().project(OF_B, OF_NOBODY, OF_A);

        assertThat(projected.states())
                .extracting(state -> (Object) state.projection())
                .containsExactly(OF_B, OF_NOBODY, OF_A);
        assertThat(projected.head()).isEqualTo(store().head());
        assertThat(projected.states()).extracting(StateAt::head).containsOnly(projected.head());
    }

    @Test
    default void a_projection_whose_items_overlap_folds_an_event_once() {
        givenFourEvents();
        Positions overlapping = Positions.of(QueryItem.tags("a"), QueryItem.types("Three"), QueryItem.tags("b"));

        assertThat(store().project(overlapping).state(overlapping)).containsExactly(1L, 2L, 3L);
    }

    @Test
    default void the_same_projection_may_be_asked_for_twice() {
        givenFourEvents();

        Projected projected = store().project(OF_A, OF_A);

        assertThat(projected.states())
                .extracting(state -> (Object) state.state())
                .containsOnly(List.of(1L, 3L));
    }

    @Test
    default void a_projection_that_was_not_asked_for_has_no_state() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store().project(OF_A).state(OF_B))
                .withMessageEndingWith("it was not part of the request");
    }

    @Test
    default void no_projections_are_refused() {
        assertThatThrownBy(() -> store().project(List.of()))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("At least one projection is needed, but there is none");
    }

    @Test
    default void last_read_is_the_highest_position_that_was_folded() {
        givenFourEvents();

        assertThat(store().project(OF_A, OF_B).lastRead()).isEqualTo(Position.of(3));
        assertThat(store().project(Positions.of(QueryItem.types("Two"))).lastRead())
                .isEqualTo(Position.of(2));
        assertThat(store().project(OF_NOBODY).lastRead()).isNull();
    }

    @Test
    default void last_read_is_of_this_read_alone() {
        givenFourEvents();
        Projected known = store().project(OF_A);

        assertThat(store().project(known.states()).lastRead()).isNull();
        append(event("Five", "a"), event("Six", "b"));
        assertThat(store().project(known.states()).lastRead()).isEqualTo(Position.of(5));
    }

    @Test
    default void known_states_fold_only_what_they_have_not_seen() {
        givenFourEvents();
        Counting counting = Counting.of(QueryItem.tags("a"));
        Projected first = store().project(counting);
        append(event("Five", "a"), event("Six", "b"));

        Projected second = store().project(first.states());
        Projected third = store().project(second.states());

        assertThat(first.state(counting)).containsExactly(1L, 3L);
        assertThat(second.state(counting)).containsExactly(1L, 3L, 5L);
        assertThat(third.state(counting)).containsExactly(1L, 3L, 5L);
        assertThat(counting.folded()).hasValue(3);
    }

    @Test
    default void known_states_do_not_change() {
        givenFourEvents();
        Projected first = store().project(OF_A);
        append(event("Five", "a"));

        store().project(first.states());

        assertThat(first.state(OF_A)).containsExactly(1L, 3L);
        assertThat(first.head().position()).isEqualTo(Position.of(4));
    }

    @Test
    default void states_at_different_heads_are_brought_to_one() {
        Counting ofA = Counting.of(QueryItem.tags("a"));
        Counting ofB = Counting.of(QueryItem.tags("b"));
        givenFourEvents();
        StateAt<?> early = store().project(ofA).states().getFirst();
        append(event("Five", "a", "b"), event("Six", "a"));
        StateAt<?> late = store().project(ofB).states().getFirst();
        append(event("Seven", "a", "b"));

        Projected projected = store().project(List.of(early, late, StateAt.initial(OF_NOBODY)));

        assertThat(projected.state(ofA)).containsExactly(1L, 3L, 5L, 6L, 7L);
        assertThat(projected.state(ofB)).containsExactly(2L, 3L, 5L, 7L);
        assertThat(projected.states()).extracting(StateAt::head).containsOnly(store().head());
        assertThat(ofA.folded()).hasValue(5);
        assertThat(ofB.folded()).hasValue(4);
    }

    @Test
    default void a_known_state_and_a_new_one_of_the_same_query_end_alike() {
        givenFourEvents();
        StateAt<?> known = store().project(OF_A).states().getFirst();
        append(event("Five", "a"));

        Projected projected = store().project(List.of(StateAt.initial(OF_A), known));

        assertThat(projected.states())
                .extracting(state -> (Object) state.state())
                .containsExactly(List.of(1L, 3L, 5L), List.of(1L, 3L, 5L));
    }

    @Test
    default void a_long_history_is_folded_whole() {
        Counting counting = Counting.of(QueryItem.tags("a"));
        store().append(IntStream.range(0, 1_000)
                .mapToObj(number -> event("Any", number % 2 == 0 ? "a" : "b"))
                .toList());

        assertThat(store().project(counting).state(counting))
                .isEqualTo(LongStream.range(0, 500).map(i -> 2 * i + 1).boxed().toList());
    }

    @Test
    default void progress_is_exact_wherever_it_is_reported() {
        append(event("Other", "c"));
        store().append(IntStream.range(0, 500)
                .mapToObj(number -> event("Any", number % 2 == 0 ? "a" : "b"))
                .toList());
        List<StateAt<?>> progress = new ArrayList<>();

        Projected whole = store().project(List.of(StateAt.initial(OF_A), StateAt.initial(OF_B)), progress::addAll);

        assertThat(progress).hasSizeGreaterThan(2);
        for (StateAt<?> state : progress) {
            Positions projection = (Positions) state.projection();
            assertThat(state.head()).isNotNull();
            assertThat(state.state())
                    .isEqualTo(whole.state(projection).stream()
                            .filter(position -> position <= state.position().value())
                            .toList());
            assertThat(store().project(List.of(state)).state(projection)).isEqualTo(whole.state(projection));
        }
    }

    @Test
    default void a_read_that_fails_is_continued_from_its_progress() {
        Counting counting = Counting.of(QueryItem.tags("a"));
        store().append(IntStream.range(0, 500)
                .mapToObj(number -> event("Any", "a"))
                .toList());
        AtomicReference<List<StateAt<?>>> progress = new AtomicReference<>(List.of(StateAt.initial(counting)));
        int attempts = 0;

        Projected projected = null;
        while (projected == null) {
            attempts++;
            try {
                projected = store().project(progress.get(), reached -> {
                    progress.set(reached);
                    throw new StoreTimeoutException("after one chunk");
                });
            } catch (StoreTimeoutException failure) {
                assertThat(attempts).isLessThan(500);
            }
        }

        assertThat(attempts).isGreaterThan(2);
        assertThat(counting.folded()).hasValue(500);
        assertThat(projected.state(counting)).hasSize(500);
        assertThat(projected.head()).isEqualTo(store().head());
    }

    @Test
    default void progress_does_not_set_back_a_state_that_had_seen_more() {
        Counting early = Counting.of(QueryItem.tags("a"));
        Counting late = Counting.of(QueryItem.tags("b"));
        store().append(IntStream.range(0, 300)
                .mapToObj(number -> event("Any", "a", "b"))
                .toList());
        StateAt<?> known = store().project(late).states().getFirst();
        List<StateAt<?>> progress = new ArrayList<>();

        store().project(List.of(StateAt.initial(early), known), progress::addAll);

        assertThat(progress)
                .filteredOn(state -> state.projection().equals(late))
                .isNotEmpty()
                .allSatisfy(state -> assertThat(state).isEqualTo(known));
    }

    @Test
    default void progress_is_not_taken_for_that_of_another_history() {
        Counting counting = Counting.of(QueryItem.tags("a"));
        List<Event> events =
                IntStream.range(0, 300).mapToObj(number -> event("Any", "a")).toList();
        store().append(events);
        List<StateAt<?>> progress = new ArrayList<>();
        store().project(List.of(StateAt.initial(counting)), progress::addAll);

        clear();
        append(event("Any", "a"));

        assertThat(store().project(List.of(progress.getLast())).state(counting)).containsExactly(1L);
    }

    @Test
    default void the_condition_of_states_lets_an_append_pass_while_nothing_happens() {
        givenFourEvents();

        assertThat(appendIf(store().project(OF_A).appendCondition(), event("Five", "a")))
                .isEqualTo(new Appended(Position.of(5), Position.of(5), false));
    }

    @Test
    default void the_condition_of_states_fails_when_an_event_of_any_of_them_was_appended() {
        givenFourEvents();
        AppendCondition condition = store().project(OF_A, OF_B).appendCondition();

        append(event("Five", "b"));

        assertThat(appendIf(condition, event("Six", "a")))
                .isEqualTo(new Conflict(QueryItem.tags("b"), Position.of(5), "Five"));
    }

    @Test
    default void the_condition_of_states_does_not_mind_other_events() {
        givenFourEvents();
        AppendCondition condition = store().project(OF_A, OF_B).appendCondition();

        append(event("Five", "c"), event("Three"));

        assertThat(appendIf(condition, event("Seven", "a"))).isInstanceOf(Appended.class);
    }

    @Test
    default void the_condition_of_states_that_matched_nothing_guards_too() {
        givenFourEvents();
        AppendCondition condition = store().project(OF_NOBODY).appendCondition();

        assertThat(appendIf(condition, event("Claimed", "unused"))).isInstanceOf(Appended.class);
        assertThat(appendIf(condition, event("Claimed", "unused")))
                .isEqualTo(new Conflict(QueryItem.tags("unused"), Position.of(5), "Claimed"));
    }

    @Test
    default void the_condition_of_states_on_an_empty_store_guards_too() {
        AppendCondition condition = store().project(OF_A).appendCondition();

        assertThat(appendIf(condition, event("One", "a"))).isInstanceOf(Appended.class);
        assertThat(appendIf(condition, event("One", "a"))).isInstanceOf(Conflict.class);
    }

    @Test
    default void the_condition_of_states_brought_up_to_date_is_renewed() {
        givenFourEvents();
        Projected early = store().project(OF_A);
        append(event("Five", "a"));

        Projected late = store().project(early.states());

        assertThat(appendIf(early.appendCondition(), event("Six", "a"))).isInstanceOf(Conflict.class);
        assertThat(appendIf(late.appendCondition(), event("Six", "a"))).isInstanceOf(Appended.class);
    }
}
