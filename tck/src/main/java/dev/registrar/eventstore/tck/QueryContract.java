package dev.registrar.eventstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Queries: by type and tag (S1), at least one item or all (S6), items OR-ed (S7), types OR-ed (S8), tags AND-ed (S9),
 * tags without meaning (S21).
 */
public interface QueryContract extends StoreUnderTest {

    /** One type and its own tags at each of the positions 1 to 3. */
    private void givenThreeTypes() {
        append(event("type1", "tagX"), event("type2", "tagA", "tagB"), event("type3", "tagA", "tagC"));
    }

    @Test
    default void the_query_for_all_matches_every_event_with_and_without_tags() {
        append(event("type1", "tagX"), event("type2"));

        assertThat(read(Query.all(), ReadOptions.forwards())).containsExactly(1L, 2L);
        assertMatches(List.of(1L, 2L), QueryItem.any());
    }

    @Test
    default void a_query_without_items_is_refused() {
        assertThatThrownBy(() -> new Query(List.of()))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("A query must have at least one item; use Query.all() for all events");
    }

    @Test
    default void a_query_matches_events_by_their_types_and_tags() {
        givenThreeTypes();

        // An item with one type matches events of that type.
        assertMatches(List.of(2L), QueryItem.types("type2"));

        // An item with several types matches events of any of them.
        assertMatches(List.of(1L, 3L), QueryItem.types("type3", "type1"));
        assertMatches(List.of(1L), QueryItem.types("unknown", "type1"));

        // An item with an unknown type matches nothing.
        assertMatches(List.of(), QueryItem.types("type4"));
        assertMatches(List.of(), QueryItem.types("type4").tagged("tagA"));

        // An item with one tag matches events that carry it whatever else they carry.
        assertMatches(List.of(2L, 3L), QueryItem.tags("tagA"));
        assertMatches(List.of(3L), QueryItem.tags("tagC"));

        // An item with several tags matches events that carry all of them.
        assertMatches(List.of(2L), QueryItem.tags("tagA", "tagB"));
        assertMatches(List.of(2L), QueryItem.tags("tagB", "tagA"));
        assertMatches(List.of(), QueryItem.tags("tagB", "tagC"));
        assertMatches(List.of(), QueryItem.tags("tagA", "tagB", "tagX"));

        // An item with an unknown tag matches nothing.
        assertMatches(List.of(), QueryItem.tags("tagD"));
        assertMatches(List.of(), QueryItem.tags("tagA", "tagD"));

        // An item matches events with one of its types and all of its tags.
        assertMatches(List.of(2L), QueryItem.types("type2").tagged("tagA"));
        assertMatches(
                List.of(2L, 3L), QueryItem.types("type1", "type2", "type3").tagged("tagA"));
        assertMatches(List.of(), QueryItem.types("type1").tagged("tagA"));
        assertMatches(List.of(), QueryItem.types("type3").tagged("tagA", "tagB"));

        // Items are alternatives.
        assertMatches(List.of(2L, 3L), QueryItem.tags("tagB"), QueryItem.tags("tagC"));
        assertMatches(List.of(1L, 3L), QueryItem.types("type1"), QueryItem.tags("tagC"));
        assertMatches(
                List.of(2L, 3L),
                QueryItem.types("type2").tagged("tagB"),
                QueryItem.types("type3").tagged("tagC"));

        // The types of one item are not joined with the tags of another.
        assertMatches(
                List.of(),
                QueryItem.types("type2").tagged("tagC"),
                QueryItem.types("type3").tagged("tagB"));
        assertMatches(
                List.of(1L, 2L),
                QueryItem.types("type1"),
                QueryItem.types("type2").tagged("tagA"));

        // An event that several items match is found once.
        assertMatches(
                List.of(2L, 3L),
                QueryItem.tags("tagA"),
                QueryItem.tags("tagB"),
                QueryItem.types("type2"),
                QueryItem.types("type3").tagged("tagA"));
        assertMatches(List.of(1L, 2L, 3L), QueryItem.types("type2"), QueryItem.any(), QueryItem.tags("tagA"));
        assertMatches(List.of(1L), QueryItem.tags("tagX"), QueryItem.tags("tagX"));

        // A query of items that match nothing matches nothing.
        assertMatches(
                List.of(),
                QueryItem.types("type4"),
                QueryItem.tags("tagD"),
                QueryItem.types("type1").tagged("tagA"));
    }

    /** Tags that start or end like those of the query. */
    private void givenNearMisses() {
        append(
                event("any", "foo:bar"),
                event("any", "foo:bar", "baz:foos"),
                event("any", "baz:foos", "other", "foo:bar"),
                event("any", "baz:foos"),
                event("any", "foo:notbar", "baz:foosnot", "foo", "bar", "foo:bar,baz:foos"),
                event("any", "foo:bar", "baz:foosnot"),
                event("any", "foo:notbar", "foo:bar", "baz:foos"),
                event("any", "xfoo:bar", "baz:foo"));
    }

    @Test
    default void a_disjunction_of_tags_does_not_match_tags_that_are_only_alike() {
        givenNearMisses();

        assertMatches(List.of(1L, 2L, 3L, 4L, 6L, 7L), QueryItem.tags("foo:bar"), QueryItem.tags("baz:foos"));
    }

    @Test
    default void a_conjunction_of_tags_does_not_match_tags_that_are_only_alike() {
        givenNearMisses();

        assertMatches(List.of(2L, 3L, 7L), QueryItem.tags("foo:bar", "baz:foos"));
    }

    @Test
    default void types_and_tags_are_compared_letter_by_letter() {
        append(event("Type", "Tag"), event("type", "tag"), event("TYPE", "TAG"), event("Type ", " Tag"));

        assertMatches(List.of(1L), QueryItem.types("Type"));
        assertMatches(List.of(2L), QueryItem.tags("tag"));
        assertMatches(List.of(), QueryItem.types("typE"));
        assertMatches(List.of(), QueryItem.types("Typ%"));
        assertMatches(List.of(), QueryItem.tags("T_g"));
    }

    @Test
    default void letters_that_look_the_same_are_not_the_same() {
        append(event("any", "caf\u00e9"), event("any", "cafe\u0301"), event("any", "stra\u00dfe"));

        assertMatches(List.of(1L), QueryItem.tags("caf\u00e9"));
        assertMatches(List.of(2L), QueryItem.tags("cafe\u0301"));
        assertMatches(List.of(), QueryItem.tags("strasse"));
    }

    @Test
    default void a_tag_equal_to_a_type_is_not_that_type() {
        append(event("Course"), event("Student", "Course"), event("Course", "Student"));

        assertMatches(List.of(1L, 3L), QueryItem.types("Course"));
        assertMatches(List.of(2L), QueryItem.tags("Course"));
        assertMatches(List.of(2L), QueryItem.types("Student").tagged("Course"));
    }

    @Test
    default void tags_may_share_their_hash() {
        append(event("any", "Aa"), event("any", "BB"));
        assertThat("Aa").hasSameHashCodeAs("BB");

        assertMatches(List.of(1L), QueryItem.tags("Aa"));
        assertMatches(List.of(), QueryItem.tags("Aa", "BB"));
    }

    @Test
    default void payload_and_metadata_are_never_looked_at() {
        append(Event.of("any", "{\"type\":\"type1\",\"tags\":[\"tagX\"]}").withMetadata("{\"tags\":[\"tagX\"]}"));

        assertMatches(List.of(), QueryItem.tags("tagX"));
        assertMatches(List.of(), QueryItem.types("type1"));
    }

    /** A student, a course, and the student's enrollment in the course, as in the specification's example. */
    @Test
    default void a_boundary_of_student_or_course_finds_what_concerns_either() {
        append(
                event("StudentRegistered", "student:1"),
                event("CourseDefined", "course:1"),
                event("StudentEnrolledInCourse", "student:1", "course:1"));

        assertMatches(List.of(1L, 3L), QueryItem.tags("student:1"));
        assertMatches(List.of(2L, 3L), QueryItem.tags("course:1"));
        assertMatches(List.of(3L), QueryItem.tags("student:1", "course:1"));
        assertMatches(
                List.of(1L, 2L, 3L),
                QueryItem.types("StudentRegistered", "StudentEnrolledInCourse").tagged("student:1"),
                QueryItem.types("CourseDefined", "StudentEnrolledInCourse").tagged("course:1"));
    }

    @Test
    default void queries_joined_by_or_find_what_either_finds() {
        givenThreeTypes();
        Query one = Query.of(QueryItem.types("type1"), QueryItem.tags("tagC"));
        Query other = Query.of(QueryItem.tags("tagC"), QueryItem.types("type2").tagged("tagB"));

        Query joined = one.or(other);

        assertThat(read(joined, ReadOptions.forwards())).containsExactly(1L, 2L, 3L);
        assertThat(joined.items()).hasSize(3);
    }

    @Test
    default void the_last_event_is_the_one_with_the_highest_position_over_all_items() {
        givenThreeTypes();
        append(event("type2", "tagB"), event("type1"));

        assertThat(store().last(Query.of(QueryItem.tags("tagC"), QueryItem.tags("tagB")))
                        .map(SequencedEvent::position))
                .contains(Position.of(4));
        assertThat(store().last(Query.of(QueryItem.types("type2").tagged("tagA")))
                        .map(SequencedEvent::position))
                .contains(Position.of(2));
    }

    @Test
    default void an_item_says_what_it_asks_for_and_does_not_change() {
        QueryItem item = QueryItem.types("type1").tagged("tagA").tagged("tagB");

        assertThat(item).isEqualTo(QueryItem.of(Set.of("type1"), List.of(Tag.of("tagB"), Tag.of("tagA"))));
        assertThatThrownBy(() -> item.tags().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> QueryItem.types(""))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("An event type in a query must have at least one character");
    }

    /** Many items, as in a batch of decisions: an event that several items match is returned once. */
    @Test
    default void many_items_of_one_tag_yield_an_event_once() {
        append(event("A", "a", "b"), event("B", "c"), event("A", "d", "e", "f"), event("A", "other"));

        assertMatches(
                List.of(1L, 2L, 3L),
                QueryItem.tags("a"),
                QueryItem.tags("b"),
                QueryItem.types("B").tagged("c"),
                QueryItem.tags("d"),
                QueryItem.types("A", "B").tagged("e"),
                QueryItem.tags("f"),
                QueryItem.types("B").tagged("f"));
        assertThat(read(
                        Query.of(
                                QueryItem.tags("a"),
                                QueryItem.tags("b"),
                                QueryItem.tags("c"),
                                QueryItem.tags("d"),
                                QueryItem.tags("e")),
                        ReadOptions.backwards().limit(2)))
                .containsExactly(3L, 2L);
    }
}
