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
        OPEN("Open"),
        FULL("Full"),
        /** A seat may be free, but it goes to the first student on the waiting list. */
        WAITING_LIST("Waiting list"),
        NOT_YET_OPEN("Not open yet"),
        ENDED("Enrollment has ended"),
        CLOSED("Closed");

        private final String words;

        State(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }

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

    public Action action() {
        return switch (standing) {
            case Standing.Enrolled enrolled -> Action.DROP;
            case Standing.Waiting waiting -> Action.LEAVE;
            case Standing.None none ->
                switch (state) {
                    case OPEN -> Action.ENROLL;
                    case FULL, WAITING_LIST -> Action.WAIT;
                    case NOT_YET_OPEN, ENDED, CLOSED -> Action.NONE;
                };
        };
    }
}
