package dev.registrar.console.office;

import dev.registrar.catalog.Current;
import dev.registrar.catalog.StudentView;
import dev.registrar.catalog.StudentsView;
import dev.registrar.console.ConsoleReads;
import dev.registrar.enrollment.EmailAddress;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Finds a student by the id in a path, or by the id or the e-mail address in a search. */
@Component
final class StudentFinder {
    private final ConsoleReads reads;
    private final StudentsView students;
    private final EventStore store;

    StudentFinder(ConsoleReads reads, StudentsView students, EventStore store) {
        this.reads = reads;
        this.students = students;
        this.store = store;
    }

    /** The student; empty if none is registered with the id. */
    Optional<StudentView> find(String studentId, HttpServletRequest request) {
        return OfficePages.student(studentId)
                .flatMap(student -> reads.read(request, students, tables -> StudentsView.find(tables, student))
                        .found())
                .map(Current::view);
    }

    /** The student with an id or an e-mail address; empty if there is none. */
    Optional<StudentView> search(String text, HttpServletRequest request) {
        return text.contains("@")
                ? email(text).flatMap(this::registered).flatMap(id -> find(id, request))
                : find(text, request);
    }

    private static Optional<EmailAddress> email(String text) {
        try {
            return Optional.of(new EmailAddress(text));
        } catch (IllegalArgumentException noAddress) {
            return Optional.empty();
        }
    }

    /* The tags of the registration have the address in the form in which it is unique, which no view has. */
    private Optional<String> registered(EmailAddress address) {
        Query registration = new Query(address.tags().stream()
                .map(tag ->
                        QueryItem.types(EnrollmentEventCodec.STUDENT_REGISTERED).tagged(tag.value()))
                .toList());
        return store.last(registration)
                .flatMap(event -> event.event().tags().stream()
                        .map(Tag::value)
                        .filter(tag -> tag.startsWith(StudentId.KIND))
                        .findFirst())
                .map(tag -> tag.substring(StudentId.KIND.length()));
    }
}
