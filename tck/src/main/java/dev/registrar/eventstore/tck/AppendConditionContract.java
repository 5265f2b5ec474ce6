package dev.registrar.eventstore.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The condition of an append: fails if an event matches (S5, S22), of those after a position if one is given (S23,
 * S24), of all if not (S25), by a query that may differ from the one that was read (S26).
 */
public interface AppendConditionContract extends StoreUnderTest {
    Position ONE = Position.of(1);

    /** One type and its own tags at each of the positions 1 to 3. */
    private void givenThreeEvents() {
        append(event("type1", "tagX"), event("type2", "tagA", "tagB"), event("type3", "tagA", "tagC"));
    }

    @Test
    default void a_condition_that_an_event_matches_forbids() {
        givenThreeEvents();

        for (AppendCondition condition : List.of(
                AppendCondition.failIfEventsMatch(Query.all()),
                AppendCondition.failIfEventsMatch(Query.all()).after(ONE),
                noneMatches(QueryItem.types("type1")),
                noneMatches(QueryItem.types("type2")).after(ONE),
                noneMatches(QueryItem.tags("tagX")),
                noneMatches(QueryItem.tags("tagA")).after(ONE),
                noneMatches(QueryItem.types("type1").tagged("tagX")),
                noneMatches(QueryItem.types("type2").tagged("tagA")).after(ONE),
                noneMatches(QueryItem.tags("tagA", "tagB")),
                noneMatches(QueryItem.tags("tagB"), QueryItem.tags("tagC")),
                noneMatches(QueryItem.tags("tagX"), QueryItem.tags("tagY")),
                noneMatches(
                        QueryItem.types("type2").tagged("tagC"),
                        QueryItem.types("type3").tagged("tagA")),
                AppendCondition.failIfEventsMatch(Query.all()).after(Position.of(2)))) {
            assertThat(appendIf(condition, event("type4"))).as("%s", condition).isInstanceOf(Conflict.class);
        }
        assertThat(store().head().position()).isEqualTo(Position.of(3));
    }

    @Test
    default void a_condition_that_no_event_matches_allows() {
        for (AppendCondition condition : List.of(
                noneMatches(QueryItem.types("type4")),
                noneMatches(QueryItem.tags("tagY")),
                noneMatches(QueryItem.types("type1")).after(ONE),
                noneMatches(QueryItem.tags("tagX")).after(ONE),
                noneMatches(QueryItem.types("type1").tagged("tagX")).after(ONE),
                noneMatches(QueryItem.types("type1").tagged("tagA")),
                noneMatches(QueryItem.tags("tagB", "tagC")),
                AppendCondition.failIfEventsMatch(Query.all()).after(Position.of(3)),
                AppendCondition.failIfEventsMatch(Query.all()).after(Position.of(Long.MAX_VALUE)))) {
            clear();
            givenThreeEvents();

            assertThat(appendIf(condition, event("type4")))
                    .as("%s", condition)
                    .isEqualTo(new Appended(Position.of(4), Position.of(4), false));
        }
    }

    /**
     * About as many events of each tag as the limited search of a store examines before it gives way to a full search.
     */
    @Test
    default void two_tags_of_a_few_dozen_events_each_forbid_only_where_they_meet() {
        for (int ofA = 62; ofA <= 66; ofA += 2) {
            for (int ofB = 63; ofB <= 65; ofB += 2) {
                String a = "a%s-%s".formatted(ofA, ofB);
                String b = "b%s-%s".formatted(ofA, ofB);
                List<Event> apart = new ArrayList<>(Collections.nCopies(ofA - 1, event("One", a)));
                apart.addAll(Collections.nCopies(ofB - 1, event("Two", b)));
                Position before = store().head().position();
                append(apart.toArray(Event[]::new));
                AppendCondition condition = noneMatches(QueryItem.tags(a, b)).after(before);
                AppendCondition swapped = noneMatches(QueryItem.tags(b, a)).after(before);

                assertThat(appendIf(condition, event("Other"))).isInstanceOf(Appended.class);
                assertThat(appendIf(swapped, event("Other"), event("Other"))).isInstanceOf(Appended.class);
                Position met = append(event("Met", a, b)).first();
                assertThat(appendIf(condition, event("Other")))
                        .isEqualTo(new Conflict(QueryItem.tags(a, b), met, "Met"));
                assertThat(appendIf(swapped, event("Other"))).isEqualTo(new Conflict(QueryItem.tags(b, a), met, "Met"));
                assertThat(appendIf(condition.after(met), event("Other"))).isInstanceOf(Appended.class);
            }
        }
    }

    @Test
    default void on_an_empty_store_every_condition_allows() {
        assertThat(appendIf(AppendCondition.failIfEventsMatch(Query.all()), event("type1")))
                .isInstanceOf(Appended.class);
    }

    @Test
    default void a_position_beyond_the_head_allows_on_an_empty_store() {
        assertThat(appendIf(AppendCondition.failIfEventsMatch(Query.all()).after(Position.of(123)), event("type1")))
                .isEqualTo(new Appended(ONE, ONE, false));
    }

    @Test
    default void a_position_between_the_last_match_and_the_head_allows() {
        givenThreeEvents();
        append(event("type5"), event("type6"));

        assertThat(appendIf(noneMatches(QueryItem.tags("tagX")).after(Position.of(4)), event("type7")))
                .isInstanceOf(Appended.class);
    }

    @Test
    default void a_condition_after_the_last_match_that_was_read_allows() {
        givenThreeEvents();
        Query query = Query.of(QueryItem.tags("tagA"));
        SequencedEvent last = store().last(query).orElseThrow();

        assertThat(appendIf(AppendCondition.failIfEventsMatch(query).after(last.position()), event("type4", "tagA")))
                .isInstanceOf(Appended.class);
    }

    @Test
    default void a_match_appended_after_the_read_forbids() {
        givenThreeEvents();
        Query query = Query.of(QueryItem.tags("tagA"));
        Head seen = store().read(query).head();
        append(event("type9", "tagA"));

        assertThat(appendIf(AppendCondition.failIfEventsMatch(query).after(seen), event("type4", "tagA")))
                .isEqualTo(new Conflict(QueryItem.tags("tagA"), Position.of(4), "type9"));
    }

    @Test
    default void an_event_of_another_boundary_appended_after_the_read_does_not_matter() {
        givenThreeEvents();
        Query query = Query.of(QueryItem.tags("tagA"));
        Head seen = store().read(query).head();
        append(event("type9", "tagX"));

        assertThat(appendIf(AppendCondition.failIfEventsMatch(query).after(seen), event("type4", "tagA")))
                .isInstanceOf(Appended.class);
    }

    @Test
    default void the_head_of_a_read_that_matched_nothing_still_guards() {
        givenThreeEvents();
        Query query = Query.of(QueryItem.tags("name:ann"));
        AppendCondition condition = AppendCondition.failIfEventsMatch(query)
                .after(store().read(query).head());

        AppendResult first = appendIf(condition, event("Claimed", "name:ann"));
        AppendResult second = appendIf(condition, event("Claimed", "name:ann"));

        assertThat(first).isInstanceOf(Appended.class);
        assertThat(second).isEqualTo(new Conflict(QueryItem.tags("name:ann"), Position.of(4), "Claimed"));
    }

    @Test
    default void the_head_of_an_empty_store_still_guards() {
        AppendCondition condition =
                AppendCondition.failIfEventsMatch(Query.all()).after(store().head());

        assertThat(appendIf(condition, event("type1"))).isInstanceOf(Appended.class);
        assertThat(appendIf(condition, event("type1"))).isInstanceOf(Conflict.class);
    }

    @Test
    default void a_head_guards_alike_whatever_the_direction_and_limit_of_its_read() {
        givenThreeEvents();
        Query query = Query.of(QueryItem.tags("tagA"));

        for (ReadOptions options : List.of(
                ReadOptions.forwards().limit(1),
                ReadOptions.backwards().limit(1),
                ReadOptions.backwards().limit(0),
                ReadOptions.forwards().after(Position.of(100)))) {
            AppendCondition condition = AppendCondition.failIfEventsMatch(query)
                    .after(store().read(query, options).head());
            assertThat(appendIf(condition, event("type4", "tagA"))).isInstanceOf(Appended.class);
            assertThat(appendIf(condition, event("type4", "tagA"))).isInstanceOf(Conflict.class);
        }
    }

    @Test
    default void the_condition_may_ask_something_else_than_was_read() {
        givenThreeEvents();
        Head seen = store().read(Query.of(QueryItem.types("type1"))).head();
        AppendCondition condition =
                noneMatches(QueryItem.types("Closed").tagged("tagX")).after(seen);

        append(event("type1", "tagX"));
        AppendResult stillOpen = appendIf(condition, event("type4"));
        append(event("Closed", "tagX"));
        AppendResult closed = appendIf(condition, event("type4"));

        assertThat(stillOpen).isInstanceOf(Appended.class);
        assertThat(closed).isInstanceOf(Conflict.class);
    }

    @Test
    default void an_unconditional_append_is_seen_by_later_conditions() {
        append(event("Claimed", "name:ann"));

        assertThat(appendIf(noneMatches(QueryItem.tags("name:ann")), event("Claimed", "name:ann")))
                .isInstanceOf(Conflict.class);
    }

    @Test
    default void an_append_may_contain_what_its_condition_forbids() {
        Event claimed = event("Claimed", "name:ann");

        assertThat(appendIf(noneMatches(QueryItem.tags("name:ann")), claimed, claimed))
                .isInstanceOf(Appended.class);
        assertThat(appendIf(noneMatches(QueryItem.tags("name:ann")), claimed)).isInstanceOf(Conflict.class);
    }

    @Test
    default void a_condition_of_an_append_that_was_rejected_passes_once_it_is_renewed() {
        givenThreeEvents();
        Query query = Query.of(QueryItem.types("type3"));
        assertThat(appendIf(AppendCondition.failIfEventsMatch(query).after(ONE), event("type3")))
                .isInstanceOf(Conflict.class);

        AppendCondition renewed = AppendCondition.failIfEventsMatch(query).after(store().head());

        assertThat(appendIf(renewed, event("type3"))).isInstanceOf(Appended.class);
    }
}
