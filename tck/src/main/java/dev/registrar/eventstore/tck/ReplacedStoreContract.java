package dev.registrar.eventstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.StateAt;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.eventstore.tck.ProjectContract.Counting;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * A store that was cleared or set back to an older copy: all cached states are invalid. If events were appended to the
 * copy, a lost head's position has another event now; if not, the lost head is beyond the end.
 */
public interface ReplacedStoreContract extends StoreUnderTest {
    UUID ANOTHER_EVENT = UUID.fromString("00000000-0000-7000-8000-000000000001");

    private AppendCondition onlyBasis(Head head) {
        return noneMatches(QueryItem.tags("unused")).after(head);
    }

    /** The same head with another event at its position. */
    private Head withAnotherEvent(Head head) {
        return new Head(head.position(), head.incarnation(), ANOTHER_EVENT);
    }

    @Test
    default void a_cleared_store_is_empty_and_another_incarnation() {
        append(event("One", "a"));
        Head before = store().head();

        clear();

        assertMatches(List.of(), QueryItem.any());
        assertThat(store().head().position()).isEqualTo(Position.START);
        assertThat(store().head().incarnation()).isNotEqualTo(before.incarnation());
    }

    @Test
    default void a_cleared_store_begins_at_position_1_again() {
        append(event("One"), event("Two"));

        clear();

        assertThat(append(event("Three")).first()).isEqualTo(Position.of(1));
    }

    @Test
    default void appends_do_not_change_the_incarnation() {
        Head before = store().head();

        append(event("One"));

        assertThat(store().head().incarnation()).isEqualTo(before.incarnation());
    }

    @Test
    default void a_decision_on_a_store_cleared_since_gets_store_replaced() {
        append(event("One", "a"));
        AppendCondition condition =
                store().project(Positions.of(QueryItem.tags("a"))).appendCondition();

        clear();

        assertThat(appendIf(condition, event("Two", "a"))).isEqualTo(new StoreReplaced());
        assertThat(store().head().position()).isEqualTo(Position.START);
    }

    @Test
    default void a_decision_on_an_empty_store_cleared_since_gets_store_replaced() {
        AppendCondition condition = onlyBasis(store().head());

        clear();

        assertThat(appendIf(condition, event("One"))).isEqualTo(new StoreReplaced());
    }

    @Test
    default void a_cleared_store_is_replaced_also_when_written_on_and_when_an_event_matches() {
        append(event("One", "a"));
        Head head = store().head();

        clear();
        append(event("One", "a"), event("Two", "unused"));

        assertThat(appendIf(onlyBasis(head), event("Three"))).isEqualTo(new StoreReplaced());
    }

    @Test
    default void a_decision_on_an_event_that_is_gone_gets_store_replaced() {
        append(event("One"), event("Two"));
        Head head = store().head();

        assertThat(appendIf(onlyBasis(withAnotherEvent(head)), event("Three"))).isEqualTo(new StoreReplaced());
        assertThat(appendIf(onlyBasis(new Head(Position.of(3), head.incarnation(), ANOTHER_EVENT)), event("Three")))
                .isEqualTo(new StoreReplaced());
        assertThat(store().head()).isEqualTo(head);
    }

    @Test
    default void a_head_that_was_passed_since_is_not_lost() {
        append(event("One"));
        Head head = store().head();
        append(event("Two"), event("Three"));

        assertThat(appendIf(onlyBasis(head), event("Four"))).isInstanceOf(Appended.class);
    }

    @Test
    default void the_head_of_the_empty_store_is_not_lost_by_appends() {
        Head start = store().head();
        append(event("One"));

        assertThat(appendIf(onlyBasis(start), event("Two"))).isInstanceOf(Appended.class);
    }

    @Test
    default void a_condition_that_rests_on_a_position_alone_does_not_ask_for_the_history() {
        append(event("One", "a"));
        AppendCondition condition = noneMatches(QueryItem.tags("a")).after(Position.of(1));

        clear();

        assertThat(appendIf(condition, event("Two", "a"), event("Three", "a"))).isInstanceOf(Appended.class);
        assertThat(appendIf(condition, event("Two", "a"))).isInstanceOf(Conflict.class);
    }

    @Test
    default void known_states_of_a_cleared_store_are_folded_afresh() {
        Counting counting = Counting.of(QueryItem.tags("a"));
        append(event("One", "a"), event("Two", "a"), event("Three", "a"));
        Projected known = store().project(counting);

        clear();
        append(event("Four"), event("Five", "a"));
        Projected afresh = store().project(known.states());

        assertThat(afresh.state(counting)).containsExactly(2L);
        assertThat(afresh.head()).isEqualTo(store().head());
        assertThat(afresh.lastRead()).isEqualTo(Position.of(2));
        assertThat(counting.folded()).hasValue(4);
    }

    @Test
    default void known_states_of_a_store_that_is_empty_now_begin_again() {
        Positions ofA = Positions.of(QueryItem.tags("a"));
        append(event("One", "a"));
        Projected known = store().project(ofA);

        clear();

        assertThat(store().project(known.states()).state(ofA)).isEmpty();
    }

    @Test
    default void states_folded_afresh_are_a_sound_basis() {
        Positions ofA = Positions.of(QueryItem.tags("a"));
        append(event("One", "a"), event("Two", "a"));
        Projected known = store().project(ofA);

        clear();
        append(event("Three", "a"));
        Projected afresh = store().project(known.states());

        assertThat(appendIf(afresh.appendCondition(), event("Four", "a"))).isInstanceOf(Appended.class);
        assertThat(appendIf(afresh.appendCondition(), event("Four", "a"))).isInstanceOf(Conflict.class);
    }

    @Test
    default void a_known_state_that_rests_on_another_event_is_folded_afresh_beside_a_sound_one() {
        Positions ofA = Positions.of(QueryItem.tags("a"));
        ProjectContract.Counting ofB = ProjectContract.Counting.of(QueryItem.tags("b"));
        append(event("One", "a"), event("Two", "b"));
        Head head = store().head();
        StateAt<?> lost = new StateAt<>(ofA, List.of(77L), withAnotherEvent(head), 1);
        StateAt<?> sound = store().project(ofB).states().getFirst();
        append(event("Three", "a", "b"));

        Projected projected = store().project(List.of(lost, sound));

        assertThat(projected.state(ofA)).containsExactly(1L, 3L);
        assertThat(projected.state(ofB)).containsExactly(2L, 3L);
        assertThat(ofB.folded()).hasValue(2);
        assertThat(projected.states()).extracting(StateAt::head).containsOnly(store().head());
    }

    @Test
    default void a_known_state_beyond_the_end_is_folded_afresh() {
        Positions ofA = Positions.of(QueryItem.tags("a"));
        append(event("One", "a"));
        Head beyond = new Head(Position.of(9), store().head().incarnation(), ANOTHER_EVENT);

        Projected projected = store().project(List.of(new StateAt<>(ofA, List.of(77L), beyond, 1)));

        assertThat(projected.state(ofA)).containsExactly(1L);
    }

    /** Five events with two tags. The last three are then replaced by others at the same positions. */
    private Head givenReplacedEvents() {
        append(event("One", "a"), event("Two", "b"), event("Three", "a"), event("Four", "b"), event("Five", "a"));
        Head before = store().head();
        setBackTo(Position.of(2));
        append(event("Six", "a"), event("Seven", "b"), event("Eight", "a"));
        return before;
    }

    @Test
    default void a_read_after_an_event_that_was_replaced_is_refused() {
        Head before = givenReplacedEvents();
        Head now = store().head();
        List<Query> queries = List.of(
                Query.all(),
                Query.of(QueryItem.tags("a")),
                Query.of(QueryItem.tags("a", "b")),
                Query.of(QueryItem.types("One")));

        assertThat(now.position()).isEqualTo(before.position());
        for (Query query : queries) {
            for (ReadOptions options : List.of(
                    ReadOptions.forwards().after(before),
                    ReadOptions.forwards().after(before).limit(0),
                    ReadOptions.forwards().on(Set.of(before)),
                    ReadOptions.backwards().on(Set.of(before)),
                    ReadOptions.forwards().on(Set.of(now, before)))) {
                assertThatThrownBy(() -> store().read(query, options))
                        .as("%s %s", query, options)
                        .isInstanceOfSatisfying(StoreReplacedException.class, replaced -> {
                            assertThat(replaced.lost()).isEqualTo(before);
                            assertThat(replaced.head()).isEqualTo(now);
                        })
                        .hasMessageContaining(String.valueOf(before.lastEventId()))
                        .hasMessageContaining("position 5");
            }
        }
    }

    @Test
    default void a_read_after_a_head_that_the_store_still_has_goes_on_behind_it() {
        append(event("One", "a"), event("Two", "b"));
        Head early = store().head();
        append(event("Three", "a"));
        setBackTo(Position.of(2));
        append(event("Four", "a"), event("Five", "a"));

        assertThat(read(Query.all(), ReadOptions.forwards().after(early))).containsExactly(3L, 4L);
        assertThat(read(Query.of(QueryItem.tags("a")), ReadOptions.forwards().after(early)))
                .containsExactly(3L, 4L);
        assertThat(read(Query.all(), ReadOptions.backwards().after(early))).containsExactly(1L);
        assertThat(read(Query.all(), ReadOptions.forwards().after(store().head())))
                .isEmpty();
        assertThat(read(Query.all(), ReadOptions.forwards().after(early.start()).limit(1)))
                .containsExactly(1L);
    }

    @Test
    default void a_read_after_a_head_of_a_cleared_store_is_refused() {
        Head empty = store().head();
        append(event("One", "a"));
        Head head = store().head();

        clear();

        for (Head lost : List.of(empty, head)) {
            assertThatThrownBy(() ->
                            store().read(Query.all(), ReadOptions.forwards().after(lost)))
                    .isInstanceOf(StoreReplacedException.class);
        }
    }

    @Test
    default void a_read_after_a_head_beyond_the_last_event_is_refused() {
        append(event("One", "a"), event("Two", "a"), event("Three", "a"));
        Head head = store().head();

        setBackTo(Position.of(1));

        assertThatThrownBy(
                        () -> store().read(Query.all(), ReadOptions.forwards().after(head)))
                .isInstanceOf(StoreReplacedException.class);
    }

    @Test
    default void an_event_of_a_read_tells_where_to_read_on() {
        append(event("One", "a"), event("Two", "a"), event("Three", "a"));
        Head second;
        try (EventStream events = store().read(Query.of(QueryItem.tags("a")))) {
            events.next();
            second = events.head().at(events.next());
        }
        append(event("Four", "a"));

        assertThat(read(Query.all(), ReadOptions.forwards().after(second))).containsExactly(3L, 4L);
        setBackTo(Position.of(1));
        append(event("Five", "a"));
        assertThatThrownBy(
                        () -> store().read(Query.all(), ReadOptions.forwards().after(second)))
                .isInstanceOf(StoreReplacedException.class);
    }

    /* Without a head the store cannot detect the replacement: it reads on from the position. */
    @Test
    default void a_read_after_a_position_alone_does_not_ask_for_the_history() {
        Head before = givenReplacedEvents();
        append(event("Nine", "a"));

        assertThat(read(Query.all(), ReadOptions.forwards().after(before.position())))
                .containsExactly(6L);
    }

    @Test
    default void a_condition_on_a_head_whose_events_were_replaced_is_not_judged_by_its_position() {
        Head before = givenReplacedEvents();
        AppendCondition condition = new AppendCondition(Query.of(QueryItem.tags("a")), Position.of(5), before);

        assertThat(appendIf(condition, event("Nine", "a"))).isEqualTo(new StoreReplaced());
        assertThat(store().head().position()).isEqualTo(Position.of(5));
    }

    @Test
    default void a_cleared_store_has_forgotten_its_idempotency_keys() {
        List<Event> events = List.of(event("One"));
        IdempotencyKey key = IdempotencyKey.of("key", events);
        store().append(Append.of(events).under(key));

        clear();

        assertThat(store().appendedUnder(key)).isEmpty();
        assertThat(store().append(Append.of(events).under(key)))
                .isEqualTo(new Appended(Position.of(1), Position.of(1), false));
    }
}
