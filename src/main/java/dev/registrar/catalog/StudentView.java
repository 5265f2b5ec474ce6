package dev.registrar.catalog;

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
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A student.
 *
 * @param tier the code of the student's tier; null if none was ever set
 */
public record StudentView(
        String id, String name, String email, @Nullable String tier) {

    /** The current state of a student in the store; empty if no student was registered under the id. */
    public static Optional<Current<StudentView>> find(EventStore store, EnrollmentEventCodec codec, StudentId student) {
        OfStudent projection = new OfStudent(student, codec);
        Projected projected = store.project(projection);
        StudentView view = projected.state(projection);
        return projected.lastRead() == null || view.equals(OfStudent.UNREGISTERED)
                ? Optional.empty()
                : Optional.of(new Current<>(view, projected.lastRead()));
    }

    private record OfStudent(StudentId student, EnrollmentEventCodec codec) implements Projection<StudentView> {
        private static final StudentView UNREGISTERED = new StudentView("", "", "", null);

        @Override
        public Query query() {
            return Query.of(
                    QueryItem.types(EnrollmentEventCodec.STUDENT_REGISTERED, EnrollmentEventCodec.STUDENT_TIER_CHANGED)
                            .tagged(student.tag().value()));
        }

        @Override
        public StudentView initial() {
            return UNREGISTERED;
        }

        @Override
        public StudentView apply(StudentView view, SequencedEvent event) {
            return codec.readable(event.event()).map(view::after).orElse(view);
        }
    }

    /* A tier before the registration is ignored, here as in the tables. */
    private StudentView after(EnrollmentEvent event) {
        return switch (event) {
            case StudentRegistered registered -> of(registered, tier);
            case StudentTierChanged changed ->
                equals(OfStudent.UNREGISTERED)
                        ? this
                        : new StudentView(id, name, email, changed.tier().code());
            case CourseDefined elsewhere -> this;
            case CourseCapacityChanged elsewhere -> this;
            case CoursePrerequisitesChanged elsewhere -> this;
            case CourseClosed elsewhere -> this;
            case StudentEnrolledInCourse elsewhere -> this;
            case StudentDroppedCourse elsewhere -> this;
            case StudentJoinedWaitingList elsewhere -> this;
            case StudentLeftWaitingList elsewhere -> this;
        };
    }

    static StudentView of(StudentRegistered registered, @Nullable String tier) {
        return new StudentView(
                registered.student().value(),
                Shown.text(registered.name().value()),
                Shown.text(registered.email().value()),
                tier);
    }
}
