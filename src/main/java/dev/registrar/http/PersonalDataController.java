package dev.registrar.http;

import dev.registrar.catalog.StudentsView;
import dev.registrar.enrollment.EraseStudent;
import dev.registrar.enrollment.OverrideReason;
import dev.registrar.enrollment.StudentId;
import dev.registrar.erasure.StudentErasure;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.http.StudentController.Student;
import dev.registrar.http.Writes.Answer;
import dev.registrar.http.admission.CallingActor;
import dev.registrar.http.admission.ReadsPayloads;
import dev.registrar.http.dcb.DcbEvents.StoredEvent;
import dev.registrar.http.problem.IdForm;
import dev.registrar.http.problem.Problem;
import dev.registrar.http.problem.ProblemException;
import dev.registrar.http.problem.Unknown;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** All that is stored about a student: look up, erase. */
@RestController
@RequestMapping(path = "/api/students/{studentId}/personal-data", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Students")
final class PersonalDataController {
    private final Writes writes;
    private final Views views;
    private final StudentsView students;
    private final EventStore store;
    private final StudentErasure erasure;

    PersonalDataController(
            Writes writes, Views views, StudentsView students, EventStore store, StudentErasure erasure) {
        this.writes = writes;
        this.views = views;
        this.students = students;
        this.store = store;
        this.erasure = erasure;
    }

    record PersonalData(
            Student student,

            @Schema(description = "The events of the student, in the order of their positions")
            List<StoredEvent> events,

            @Nullable @Schema(
                    description = "The position after which the next page begins; absent on the last page",
                    example = "4711")
            Long next) {}

    @GetMapping
    @ReadsPayloads
    @Operation(
            summary = "Look up all that is stored about a student",
            description =
                    "For the person's right to know. The lists of courses and waiting lists follow from the events")
    ResponseEntity<PersonalData> personalData(
            @PathVariable @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) String studentId,
            @RequestParam(defaultValue = "0")
                    @Min(0) @Parameter(description = "The position after which the page of events begins")
                    long after,
            @RequestParam(defaultValue = Pages.DEFAULT_ENTRIES) @Min(1) @Max(Pages.MAX_ENTRIES) int limit) {
        StudentId student = new StudentId(studentId);
        return views.answer(
                Consistency.VIEW,
                students,
                tables -> StudentsView.find(tables, student),
                Unknown.student(student),
                view -> page(Student.of(view), student, Position.of(after), limit));
    }

    private PersonalData page(Student view, StudentId student, Position after, int limit) {
        List<StoredEvent> events = new ArrayList<>();
        try (EventStream stored = store.read(
                Query.of(QueryItem.any().tagged(student.tag().value())),
                ReadOptions.forwards().after(after).limit(limit + 1L))) {
            stored.stream().map(StoredEvent::of).forEach(events::add);
        }
        return events.size() <= limit
                ? new PersonalData(view, events, null)
                : new PersonalData(
                        view, events.subList(0, limit), events.get(limit - 1).position());
    }

    @DeleteMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(
            summary = "Erase a student's personal data",
            description =
                    "Overwrites name, address and the reasons of overrides in all events, and frees the address. The id stays taken, and the student keeps seats and places. It cannot be taken back; a repetition completes an erasure that was interrupted")
    ResponseEntity<Void> erasePersonalData(
            @PathVariable @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) String studentId,
            @RequestParam
                    @Pattern(
                            regexp = OverrideReason.PATTERN,
                            message = "must be one line with a visible character, without control characters")
                    @Size(max = StudentErasure.MAX_REASON_LENGTH, message = "must have at most 500 characters") @Parameter(description = "Recorded permanently, so without personal data, such as a file number")
                    String reason) {
        if (!erasure.isEnabled()) {
            throw new ProblemException(Problem.of(
                    HttpStatus.CONFLICT,
                    "erasure-disabled",
                    "Erasures are disabled; an operator enables them with registrar.erasure.enabled"));
        }
        StudentId student = new StudentId(studentId);
        return writes.answer(new EraseStudent(student), accepted -> {
            erasure.erase(student, CallingActor.currentFor(student), reason);
            return new Answer<>(HttpStatus.NO_CONTENT, null, null);
        });
    }
}
