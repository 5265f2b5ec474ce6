package dev.registrar.console.student;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.catalog.CourseView;
import dev.registrar.console.student.ShownCourse.Action;
import dev.registrar.console.student.ShownCourse.Requirement;
import dev.registrar.console.student.ShownCourse.State;
import dev.registrar.enrollment.WeeklyTimes;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The state and the button of a course. */
class ShownCourseTest {
    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
    private static final Instant EARLIER = NOW.minusSeconds(1);
    private static final Instant LATER = NOW.plusSeconds(1);

    private static CourseView course(int enrolled, int waiting) {
        return new CourseView("c", "Maths", 2, enrolled, waiting, false, null, null, List.of(), WeeklyTimes.NONE);
    }

    private static State state(boolean closed, @Nullable Instant opens, @Nullable Instant closes) {
        return State.of(new CourseView("c", "Maths", 2, 0, 0, closed, opens, closes, List.of(), WeeklyTimes.NONE), NOW);
    }

    private static Action action(CourseView course, Standing standing) {
        return new ShownCourse(course, State.of(course, NOW), standing, List.of()).action();
    }

    @Test
    void a_course_is_open_from_its_beginning_until_its_end() {
        assertThat(state(false, null, null)).isEqualTo(State.OPEN);
        assertThat(state(false, NOW, LATER)).isEqualTo(State.OPEN);
        assertThat(state(false, LATER, null)).isEqualTo(State.NOT_YET_OPEN);
        assertThat(state(false, EARLIER, NOW)).isEqualTo(State.ENDED);
        assertThat(state(true, EARLIER, LATER)).isEqualTo(State.CLOSED);
    }

    @Test
    void a_student_enrolls_in_a_course_with_a_free_seat() {
        assertThat(action(course(1, 0), Standing.NONE)).isEqualTo(Action.ENROLL);
    }

    @Test
    void a_student_waits_for_a_course_that_is_full_or_has_a_waiting_list() {
        assertThat(action(course(2, 0), Standing.NONE)).isEqualTo(Action.WAIT);
        assertThat(action(course(1, 1), Standing.NONE)).isEqualTo(Action.WAIT);
    }

    @Test
    void a_student_enrolls_in_required_courses_first() {
        List<Requirement> required =
                List.of(new Requirement("a", "Algebra", true), new Requirement("b", "Biology", false));

        ShownCourse shown = new ShownCourse(course(1, 0), State.OPEN, Standing.NONE, required);

        assertThat(shown.action()).isEqualTo(Action.OTHERS_FIRST);
        assertThat(shown.missing()).extracting(Requirement::id).containsExactly("b");
        assertThat(new ShownCourse(course(2, 0), State.FULL, Standing.NONE, required).action())
                .isEqualTo(Action.OTHERS_FIRST);
        assertThat(new ShownCourse(course(1, 0), State.OPEN, Standing.NONE, List.of(required.getFirst())).action())
                .isEqualTo(Action.ENROLL);
    }

    @Test
    void a_student_may_drop_and_leave_a_closed_course_but_not_enter_it() {
        CourseView closed = new CourseView("c", "Maths", 2, 1, 1, true, null, null, List.of(), WeeklyTimes.NONE);

        assertThat(action(closed, new Standing.Enrolled(NOW))).isEqualTo(Action.DROP);
        assertThat(action(closed, new Standing.Waiting(NOW, 1, 1))).isEqualTo(Action.LEAVE);
        assertThat(action(closed, Standing.NONE)).isEqualTo(Action.NONE);
    }

    @Test
    void a_text_of_another_direction_does_not_turn_its_sentence() {
        assertThat(Words.typed("Maths 1: caf\u00E9")).isEqualTo("Maths 1: caf\u00E9");
        assertThat(Words.typed("\u05D0")).isEqualTo("\u2068\u05D0\u2069");
        assertThat(Words.typed("x\u202E")).isEqualTo("x");
        assertThat(Words.typed("\u2069\u202E\u05D0")).isEqualTo("\u2068\u05D0\u2069");
    }
}
