package dev.registrar.http;

import dev.registrar.catalog.StudentView;
import dev.registrar.catalog.StudentsView;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.enrollment.ChangeEmail;
import dev.registrar.enrollment.ChangeName;
import dev.registrar.enrollment.ChangeTier;
import dev.registrar.enrollment.EmailAddress;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.RegisterStudent;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.StudentName;
import dev.registrar.enrollment.Tier;
import dev.registrar.eventstore.TimeOrderedId;
import dev.registrar.http.Writes.Answer;
import dev.registrar.http.problem.IdForm;
import dev.registrar.http.problem.Unknown;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Students: register, look up, change. */
@RestController
@RequestMapping(path = "/api/students", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Students", description = "Register, look up and change students")
final class StudentController {
    private final Writes writes;
    private final Views views;
    private final StudentsView students;

    StudentController(Writes writes, Views views, StudentsView students) {
        this.writes = writes;
        this.views = views;
        this.students = students;
    }

    record NewStudent(
            @Nullable @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) @Schema(description = "Generated if absent", example = "ann")
            String id,

            @NotNull @Fits(Fits.Value.STUDENT_NAME)
            @Schema(
                    minLength = 1,
                    maxLength = StudentName.MAX_LENGTH,
                    pattern = StudentName.PATTERN,
                    example = "Ann Arbor")
            String name,

            @NotNull @Fits(Fits.Value.EMAIL_ADDRESS)
            @Schema(maxLength = EmailAddress.MAX_LENGTH, pattern = EmailAddress.PATTERN, example = "ann@example.org")
            String email) {

        RegisterStudent command() {
            String studentId = id == null ? TimeOrderedId.next().toString() : id;
            return new RegisterStudent(new StudentId(studentId), new StudentName(name), new EmailAddress(email));
        }
    }

    @Schema(name = "StudentName")
    record NewName(
            @NotNull @Fits(Fits.Value.STUDENT_NAME)
            @Schema(
                    minLength = 1,
                    maxLength = StudentName.MAX_LENGTH,
                    pattern = StudentName.PATTERN,
                    example = "Ann Arbor")
            String name) {}

    @Schema(name = "StudentEmail")
    record NewEmail(
            @NotNull @Fits(Fits.Value.EMAIL_ADDRESS)
            @Schema(maxLength = EmailAddress.MAX_LENGTH, pattern = EmailAddress.PATTERN, example = "ann@example.org")
            String email) {}

    @Schema(name = "StudentTier")
    record NewTier(
            @NotNull @Pattern(regexp = Tier.PATTERN, message = "must be one of basic, standard, professional, master") @Schema(description = "At most 2, 5, 10 and 25 courses at a time", example = "professional")
            String tier) {}

    record Student(
            @Schema(example = "ann") String id,
            @Schema(example = "Ann Arbor") String name,
            @Schema(example = "ann@example.org") String email,

            @Nullable @Schema(description = "Absent if no tier was ever set", example = "professional")
            String tier) {
        static Student of(StudentView view) {
            return new Student(view.id(), view.name(), view.email(), view.tier());
        }
    }

    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            summary = "Register a student",
            description = "The answer to a repetition has no body if the view does not show the student in time")
    @ResponseStatus(HttpStatus.CREATED)
    ResponseEntity<Student> registerStudent(@Valid @RequestBody NewStudent student) {
        return writes.answer(student.command(), accepted -> {
            StudentRegistered registered = (StudentRegistered) accepted.events().getFirst();
            return Answer.created(
                    "/api/students/" + registered.student(),
                    accepted.repeated()
                            ? current(registered.student(), accepted)
                            : Student.of(StudentView.of(registered)));
        });
    }

    @PutMapping(path = "/{studentId}/name", consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(summary = "Change a student's name")
    ResponseEntity<Student> changeName(
            @PathVariable @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) String studentId,
            @Valid @RequestBody NewName name) {
        StudentId student = new StudentId(studentId);
        return writes.answer(
                new ChangeName(student, new StudentName(name.name())),
                accepted -> Answer.changed(current(student, accepted)));
    }

    @PutMapping(path = "/{studentId}/email", consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            summary = "Change a student's e-mail address",
            description = "No other student may have it. The former address is free for other students at once")
    ResponseEntity<Student> changeEmail(
            @PathVariable @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) String studentId,
            @Valid @RequestBody NewEmail email) {
        StudentId student = new StudentId(studentId);
        return writes.answer(
                new ChangeEmail(student, new EmailAddress(email.email())),
                accepted -> Answer.changed(current(student, accepted)));
    }

    @PutMapping(path = "/{studentId}/tier", consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            summary = "Set a student's tier, which limits the number of courses at a time",
            description = "A student with more courses than the new tier allows keeps them")
    ResponseEntity<Student> changeTier(
            @PathVariable @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) String studentId,
            @Valid @RequestBody NewTier tier) {
        StudentId student = new StudentId(studentId);
        return writes.answer(
                new ChangeTier(student, Tier.of(tier.tier())), accepted -> Answer.changed(current(student, accepted)));
    }

    @GetMapping("/{studentId}")
    @Operation(summary = "Look up a student")
    ResponseEntity<Student> findStudent(
            @PathVariable @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) String studentId,
            @RequestParam(required = false)
                    @Pattern(regexp = Consistency.PATTERN, message = Consistency.MESSAGE) @Parameter(description = Consistency.DESCRIPTION)
                    @Nullable String consistency) {
        StudentId student = new StudentId(studentId);
        return views.answer(
                Consistency.of(consistency),
                students,
                tables -> StudentsView.find(tables, student),
                Unknown.student(student),
                Student::of);
    }

    private @Nullable Student current(StudentId student, Accepted<EnrollmentEvent, ?> accepted) {
        return views.current(students, accepted, tables -> StudentsView.find(tables, student), Student::of);
    }
}
