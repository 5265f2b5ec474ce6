package dev.registrar.enrollment;

import static dev.registrar.enrollment.ChangePrerequisites.Refused.COURSE_CLOSED;
import static dev.registrar.enrollment.ChangePrerequisites.Refused.COURSE_UNKNOWN;
import static dev.registrar.enrollment.ChangePrerequisites.Refused.PREREQUISITES_UNCHANGED;
import static dev.registrar.enrollment.ChangePrerequisites.Refused.PREREQUISITE_CYCLE;
import static dev.registrar.enrollment.ChangePrerequisites.Refused.PREREQUISITE_UNDEFINED;
import static dev.registrar.enrollment.ChangePrerequisites.Refused.REQUIRED_COURSES_CHANGED;
import static dev.registrar.enrollment.ChangePrerequisites.Refused.TOO_MANY_REQUIRED_COURSES;
import static dev.registrar.enrollment.CourseOffice.LATIN;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.MUSIC;
import static dev.registrar.enrollment.CourseOffice.courseClosed;
import static dev.registrar.enrollment.CourseOffice.courseDefined;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.prerequisitesChanged;
import static dev.registrar.enrollment.CourseOffice.requires;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.InterleavingStore;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome;
import dev.registrar.decision.RetryBounds;
import dev.registrar.decision.testkit.Scenario;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.InMemoryEventStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChangePrerequisitesTest {
    private static final CourseId GREEK = new CourseId("greek");

    @Test
    void new_prerequisites_replace_the_previous_ones() {
        courses().when(change(MATHS, requires(MUSIC), MUSIC)).thenAccepted(prerequisitesChanged(MATHS, MUSIC));
        courses()
                .given(prerequisitesChanged(MATHS, MUSIC))
                .when(change(MATHS, requires(LATIN), LATIN))
                .thenAccepted(prerequisitesChanged(MATHS, LATIN));
    }

    @Test
    void prerequisites_may_be_removed() {
        given(courseDefined(MUSIC, Prerequisites.NONE), courseDefined(MATHS, requires(MUSIC)))
                .when(change(MATHS, Prerequisites.NONE))
                .thenAccepted(prerequisitesChanged(MATHS));
    }

    @Test
    void the_present_prerequisites_are_refused() {
        courses().when(change(MATHS, Prerequisites.NONE)).thenRefused(PREREQUISITES_UNCHANGED);
        courses()
                .given(prerequisitesChanged(MATHS, MUSIC, LATIN), courseClosed(MATHS))
                .when(change(MATHS, requires(LATIN, MUSIC), LATIN, MUSIC))
                .thenRefused(PREREQUISITES_UNCHANGED);
    }

    @Test
    void an_unknown_or_closed_course_gets_no_prerequisites() {
        given(courseDefined(MUSIC, Prerequisites.NONE))
                .when(change(MATHS, requires(MUSIC), MUSIC))
                .thenRefused(COURSE_UNKNOWN);
        courses()
                .given(courseClosed(MATHS))
                .when(change(MATHS, requires(MUSIC), MUSIC))
                .thenRefused(COURSE_CLOSED);
    }

    /* Its enrolled students stay enrolled. */
    @Test
    void a_closed_course_may_be_a_prerequisite() {
        courses()
                .given(courseClosed(MUSIC))
                .when(change(MATHS, requires(MUSIC), MUSIC))
                .thenAccepted(prerequisitesChanged(MATHS, MUSIC));
    }

    @Test
    void a_prerequisite_that_was_never_defined_is_refused() {
        courses().when(change(MATHS, requires(MUSIC, GREEK), MUSIC, GREEK)).thenRefused(PREREQUISITE_UNDEFINED);
    }

    @Test
    void a_course_cannot_require_itself_directly_or_indirectly() {
        courses().when(change(MATHS, requires(MATHS), MATHS)).thenRefused(PREREQUISITE_CYCLE);
        courses()
                .given(prerequisitesChanged(MUSIC, MATHS))
                .when(change(MATHS, requires(MUSIC), MUSIC, MATHS))
                .thenRefused(PREREQUISITE_CYCLE);
        courses()
                .given(prerequisitesChanged(MUSIC, LATIN), prerequisitesChanged(LATIN, MATHS))
                .when(change(MATHS, requires(MUSIC), MUSIC, LATIN, MATHS))
                .thenRefused(PREREQUISITE_CYCLE);
    }

    @Test
    void a_course_may_be_required_in_two_ways() {
        courses()
                .given(prerequisitesChanged(MUSIC, LATIN))
                .when(change(MATHS, requires(MUSIC, LATIN), MUSIC, LATIN))
                .thenAccepted(prerequisitesChanged(MATHS, MUSIC, LATIN));
    }

    @Test
    void a_removed_cycle_no_longer_counts() {
        courses()
                .given(prerequisitesChanged(MUSIC, MATHS), prerequisitesChanged(MUSIC))
                .when(change(MATHS, requires(MUSIC), MUSIC))
                .thenAccepted(prerequisitesChanged(MATHS, MUSIC));
    }

    /* Another client of the store appended the cycle. */
    @Test
    void a_cycle_of_other_courses_ends_the_search() {
        courses()
                .given(prerequisitesChanged(MUSIC, LATIN), prerequisitesChanged(LATIN, MUSIC))
                .when(change(MATHS, requires(MUSIC), MUSIC, LATIN))
                .thenAccepted(prerequisitesChanged(MATHS, MUSIC));
    }

    @Test
    void a_required_course_that_the_command_does_not_name_is_refused() {
        courses().when(change(MATHS, requires(MUSIC))).thenRefused(REQUIRED_COURSES_CHANGED);
        courses()
                .given(prerequisitesChanged(MUSIC, LATIN))
                .when(change(MATHS, requires(MUSIC), MUSIC))
                .thenRefused(REQUIRED_COURSES_CHANGED);
    }

    @Test
    void the_number_of_required_courses_is_bounded_by_an_appends_conditions() {
        List<CourseId> chain = IntStream.rangeClosed(1, 65)
                .mapToObj(i -> new CourseId("c" + i))
                .toList();
        Set<CourseId> known = Set.copyOf(chain.subList(0, 64));
        Scenario<EnrollmentEvent> chained = courses();
        for (int i = 0; i < 64; i++) {
            chained = chained.given(
                    courseDefined(chain.get(i), i < 63 ? requires(chain.get(i + 1)) : Prerequisites.NONE));
        }

        chained.when(new ChangePrerequisites(MATHS, requires(chain.getFirst()), known))
                .thenAccepted(prerequisitesChanged(MATHS, chain.getFirst()));
        chained.given(
                        courseDefined(chain.get(64), Prerequisites.NONE),
                        prerequisitesChanged(chain.get(63), chain.get(64)))
                .when(new ChangePrerequisites(MATHS, requires(chain.getFirst()), known))
                .thenRefused(TOO_MANY_REQUIRED_COURSES);
        assertThatThrownBy(() -> new ChangePrerequisites(MATHS, Prerequisites.NONE, Set.copyOf(chain)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65");
    }

    /* The command names 64 courses that were once required; now music, one of them, requires a further course. */
    @Test
    void a_full_but_outdated_list_of_required_courses_is_refused_as_outdated() {
        CourseId[] known = Stream.concat(
                        Stream.of(MUSIC), IntStream.range(1, 64).mapToObj(i -> new CourseId("c" + i)))
                .toArray(CourseId[]::new);

        courses()
                .given(prerequisitesChanged(MUSIC, LATIN))
                .when(change(MATHS, requires(MUSIC), known))
                .thenRefused(REQUIRED_COURSES_CHANGED);
    }

    /* Other clients and successive definitions can create chains of any length. */
    @Test
    void a_prerequisite_may_be_removed_even_if_the_others_require_many_courses() {
        courses()
                .given(prerequisitesChanged(MATHS, MUSIC, LATIN), prerequisitesChanged(MUSIC, GREEK))
                .when(change(MATHS, requires(MUSIC)))
                .thenAccepted(prerequisitesChanged(MATHS, MUSIC));
    }

    @Test
    void a_course_has_at_most_sixteen_prerequisites() {
        Set<CourseId> seventeen =
                IntStream.range(0, 17).mapToObj(i -> new CourseId("c" + i)).collect(Collectors.toSet());

        assertThatThrownBy(() -> new Prerequisites(seventeen))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("16")
                .hasMessageContaining("17");
    }

    /*
     * The command makes maths require music, which has no prerequisites. Before its append, another command makes music
     * require maths. The append must fail, and the second attempt sees the cycle.
     */
    @Test
    void one_of_two_changes_that_close_a_cycle_is_refused() {
        assertThat(closeCycle(request -> request))
                .isInstanceOfSatisfying(
                        Outcome.Rejected.class,
                        rejected -> assertThat(rejected.reason()).isEqualTo(PREREQUISITE_CYCLE));
    }

    /* The same race without the append's condition: the cycle is closed, so the test above can fail. */
    @Test
    void without_the_condition_the_cycle_would_be_closed() {
        assertThat(closeCycle(request -> Append.of(request.events()))).isInstanceOf(Outcome.Accepted.class);
    }

    private static Outcome<EnrollmentEvent, ChangePrerequisites.Refused> closeCycle(UnaryOperator<Append> meddling) {
        EnrollmentEventCodec codec = new EnrollmentEventCodec();
        InMemoryEventStore store = new InMemoryEventStore();
        courses().past().forEach(event -> store.append(List.of(event)));
        boolean[] changed = {false};
        InterleavingStore meddled = new InterleavingStore(store, request -> {
            if (!changed[0]) {
                changed[0] = true;
                store.append(
                        List.of(codec.encode(prerequisitesChanged(MUSIC, MATHS)).event()));
            }
            return meddling.apply(request);
        });
        return new DecisionLoop<>(meddled, codec, RetryBounds.DEFAULT, 100, InstantSource.system())
                .execute(change(MATHS, requires(MUSIC), MUSIC, MATHS), Origin.UNKNOWN);
    }

    private static ChangePrerequisites change(CourseId course, Prerequisites prerequisites, CourseId... required) {
        return new ChangePrerequisites(course, prerequisites, Set.of(required));
    }

    /** Maths, music and Latin have no prerequisites. */
    private static Scenario<EnrollmentEvent> courses() {
        return given(
                courseDefined(MATHS, Prerequisites.NONE),
                courseDefined(MUSIC, Prerequisites.NONE),
                courseDefined(LATIN, Prerequisites.NONE));
    }
}
