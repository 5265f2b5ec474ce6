package dev.registrar.catalog;

import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.CoursePrerequisitesChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEvent.StudentTierChanged;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A course with its seats.
 *
 * @param waiting students on the waiting list
 * @param opensAt when enrollment begins; null if it has no beginning
 * @param closesAt when enrollment ends; null if it has no end
 * @param prerequisites the ids of the courses that a student must be enrolled in first, sorted
 */
public record CourseView(
        String id,
        String title,
        int capacity,
        int enrolled,
        int waiting,
        boolean closed,
        @Nullable Instant opensAt,
        @Nullable Instant closesAt,
        List<String> prerequisites) {

    public CourseView {
        prerequisites = List.copyOf(prerequisites);
    }

    public int available() {
        return Math.max(0, capacity - enrolled);
    }

    public boolean full() {
        return available() == 0;
    }

    /** The current state of a course in the store; empty if it was never defined. */
    public static Optional<Current<CourseView>> find(EventStore store, EnrollmentEventCodec codec, CourseId course) {
        OfCourse projection = new OfCourse(course, codec);
        Projected projected = store.project(projection);
        CourseView view = projected.state(projection);
        return projected.lastRead() == null || view.equals(OfCourse.UNDEFINED)
                ? Optional.empty()
                : Optional.of(new Current<>(view, projected.lastRead()));
    }

    private record OfCourse(CourseId course, EnrollmentEventCodec codec) implements Projection<CourseView> {
        private static final CourseView UNDEFINED = new CourseView("", "", 0, 0, 0, false, null, null, List.of());

        @Override
        public Query query() {
            return Query.of(QueryItem.types(
                            EnrollmentEventCodec.COURSE_DEFINED,
                            EnrollmentEventCodec.COURSE_CAPACITY_CHANGED,
                            EnrollmentEventCodec.COURSE_PREREQUISITES_CHANGED,
                            EnrollmentEventCodec.COURSE_CLOSED,
                            EnrollmentEventCodec.STUDENT_ENROLLED_IN_COURSE,
                            EnrollmentEventCodec.STUDENT_DROPPED_COURSE,
                            EnrollmentEventCodec.STUDENT_JOINED_WAITING_LIST,
                            EnrollmentEventCodec.STUDENT_LEFT_WAITING_LIST)
                    .tagged(course.tag().value()));
        }

        @Override
        public CourseView initial() {
            return UNDEFINED;
        }

        @Override
        public CourseView apply(CourseView view, SequencedEvent event) {
            return codec.readable(event.event()).map(view::after).orElse(view);
        }
    }

    /* Events before the definition are ignored, here as in the tables. */
    private CourseView after(EnrollmentEvent event) {
        if (equals(OfCourse.UNDEFINED) && !(event instanceof CourseDefined)) {
            return this;
        }
        return switch (event) {
            case CourseDefined defined ->
                new CourseView(
                        defined.course().value(),
                        Shown.text(defined.title().value()),
                        defined.capacity().seats(),
                        enrolled,
                        waiting,
                        closed,
                        Shown.instant(defined.window().opensAt()),
                        Shown.instant(defined.window().closesAt()),
                        defined.prerequisites().ids());
            case CourseCapacityChanged changed -> with(changed.capacity().seats(), enrolled, waiting, closed);
            case CoursePrerequisitesChanged changed ->
                new CourseView(
                        id,
                        title,
                        capacity,
                        enrolled,
                        waiting,
                        closed,
                        opensAt,
                        closesAt,
                        changed.prerequisites().ids());
            case CourseClosed end -> with(capacity, enrolled, waiting, true);
            case StudentEnrolledInCourse more -> with(capacity, enrolled + 1, waiting, closed);
            case StudentDroppedCourse fewer -> with(capacity, enrolled - 1, waiting, closed);
            case StudentJoinedWaitingList more -> with(capacity, enrolled, waiting + 1, closed);
            case StudentLeftWaitingList fewer -> with(capacity, enrolled, waiting - 1, closed);
            case StudentRegistered elsewhere -> this;
            case StudentTierChanged elsewhere -> this;
        };
    }

    private CourseView with(int seats, int students, int waitingStudents, boolean isClosed) {
        return new CourseView(id, title, seats, students, waitingStudents, isClosed, opensAt, closesAt, prerequisites);
    }
}
