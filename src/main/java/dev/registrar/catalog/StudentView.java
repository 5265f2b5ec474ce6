package dev.registrar.catalog;

import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import java.util.Optional;

/** A student. */
public record StudentView(String id, String name, String email) {

    /** The student; empty if no student was registered under the id. */
    public static Optional<Current<StudentView>> find(EventStore store, EnrollmentEventCodec codec, StudentId student) {
        Query registration = Query.of(QueryItem.types(EnrollmentEventCodec.STUDENT_REGISTERED)
                .tagged(student.tag().value()));
        return Last.of(store, codec, registration)
                .map(last -> new Current<>(
                        of((StudentRegistered) last.event()), last.stored().position()));
    }

    static StudentView of(StudentRegistered registered) {
        return new StudentView(
                registered.student().value(),
                Shown.text(registered.name().value()),
                Shown.text(registered.email().value()));
    }
}
