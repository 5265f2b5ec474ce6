package dev.registrar.console.student;

import dev.registrar.catalog.CourseView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A course as a page shows it to a student.
 *
 * @param requirements the courses in which a student must be enrolled first
 */
record ShownCourse(CourseView course, State state, Standing standing, List<Requirement> requirements) {

    /** Whether the course takes students now, and how. The domain decides; a page only shows what to expect. */
    enum State {
        OPEN,
        FULL,
        /** A seat may be free, but it goes to the first student on the waiting list. */
        WAITING_LIST,
        NOT_YET_OPEN,
        ENDED,
        CLOSED;

        static State of(CourseView course, Instant now) {
            if (course.closed()) {
                return CLOSED;
            }
            if (isBefore(now, course.opensAt())) {
                return NOT_YET_OPEN;
            }
            if (course.closesAt() != null && !isBefore(now, course.closesAt())) {
                return ENDED;
            }
            if (course.full()) {
                return FULL;
            }
            return course.waiting() > 0 ? WAITING_LIST : OPEN;
        }

        private static boolean isBefore(Instant now, @Nullable Instant end) {
            return end != null && now.isBefore(end);
        }
    }

    /** The command that the page's button gives. */
    enum Action {
        ENROLL,
        WAIT,
        DROP,
        LEAVE,
        /** No button: the student is not enrolled in each required course. */
        OTHERS_FIRST,
        /** No button: the course takes no students now. */
        NONE
    }

    /**
     * A course in which a student must be enrolled first.
     *
     * @param title its id if there is no such course
     * @param met whether the student is enrolled in it
     */
    record Requirement(String id, String title, boolean met) {}

    ShownCourse {
        requirements = List.copyOf(requirements);
    }

    public boolean isNotYetOpen() {
        return state == State.NOT_YET_OPEN;
    }

    public boolean isEnded() {
        return state == State.ENDED;
    }

    /** The time of enrollment; null if the student is not enrolled. */
    public @Nullable Instant enrolledSince() {
        return standing instanceof Standing.Enrolled(Instant since) ? since : null;
    }

    /** The place on the waiting list; null if the student has none. */
    public Standing.@Nullable Waiting place() {
        return standing instanceof Standing.Waiting waiting ? waiting : null;
    }

    /** Whether the student waits no more because the course was closed, if the student has waited for it. */
    public boolean hasLostItsList() {
        return course.closed() && standing instanceof Standing.None;
    }

    /** The course's title, or its id if the title shows nothing. */
    public String title() {
        return course.title().isBlank() ? course.id() : course.title();
    }

    /** The title within a text that has no markup, such as the title of a page. */
    public String isolatedTitle() {
        return Words.typed(title());
    }

    /** Whether the course takes students now, to a free seat or on its waiting list. */
    public boolean takesStudents() {
        return switch (state) {
            case OPEN, FULL, WAITING_LIST -> true;
            case NOT_YET_OPEN, ENDED, CLOSED -> false;
        };
    }

    /** The required courses in which the student is not enrolled. */
    public List<Requirement> missing() {
        return requirements.stream().filter(requirement -> !requirement.met()).toList();
    }

    boolean requires(String course) {
        return requirements.stream().anyMatch(requirement -> requirement.id().equals(course));
    }

    public Action action() {
        return switch (standing) {
            case Standing.Enrolled enrolled -> Action.DROP;
            case Standing.Waiting waiting -> Action.LEAVE;
            case Standing.None none ->
                switch (state) {
                    case OPEN -> missing().isEmpty() ? Action.ENROLL : Action.OTHERS_FIRST;
                    case FULL, WAITING_LIST -> missing().isEmpty() ? Action.WAIT : Action.OTHERS_FIRST;
                    case NOT_YET_OPEN, ENDED, CLOSED -> Action.NONE;
                };
        };
    }
}
