package dev.registrar.http;

import dev.registrar.catalog.Clashes;
import dev.registrar.catalog.RostersView;
import dev.registrar.catalog.RostersView.Enrollment;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.DropStudent;
import dev.registrar.enrollment.EnrollByOverride;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.enrollment.OverrideReason;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.SwapCourse;
import dev.registrar.eventstore.Position;
import dev.registrar.http.Writes.Answer;
import dev.registrar.http.problem.IdForm;
import dev.registrar.http.problem.Unknown;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Enrollments: a student in a course. */
@RestController
@RequestMapping(path = "/api", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Enrollments", description = "Enroll students in courses")
final class EnrollmentController {
    private final Writes writes;
    private final Views views;
    private final RostersView rosters;
    private final Clashes clashes;
    private final int studentLimit;

    EnrollmentController(
            Writes writes, Views views, RostersView rosters, Clashes clashes, EnrollmentSettings settings) {
        this.writes = writes;
        this.views = views;
        this.rosters = rosters;
        this.clashes = clashes;
        this.studentLimit = settings.coursesPerStudent();
    }

    record Enrollments(List<Enrollment> enrollments) {}

    record Roster(List<RostersView.RosterEntry> enrollments) {}

    @Schema(name = "OverrideReason")
    record NewOverride(
            @NotNull @Fits(Fits.Value.OVERRIDE_REASON)
            @Schema(
                    minLength = 1,
                    maxLength = OverrideReason.MAX_LENGTH,
                    pattern = OverrideReason.PATTERN,
                    example = "Retakes the course")
            String reason) {}

    record Overridden(
            @Schema(
                    description = "The ids of the student's other courses that meet at the same time, sorted",
                    example = "[\"music-101\"]")
            @Nullable List<String> clashesWith) {}

    @PutMapping("/courses/{courseId}/students/{studentId}")
    @Operation(
            summary = "Enroll a student in a course",
            description = "With insteadOf, the student also drops that course: both happen, or neither")
    @ApiResponse(
            responseCode = "200",
            description = "The student was enrolled already, and has dropped the course of insteadOf")
    @ApiResponse(responseCode = "201", description = "Enrolled", content = @Content)
    ResponseEntity<Enrollment> enrollStudent(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId,
            @PathVariable @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) String studentId,
            @RequestParam(required = false)
                    @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) @Parameter(description = "The course to drop")
                    @Nullable String insteadOf) {
        CourseId course = new CourseId(courseId);
        StudentId student = new StudentId(studentId);
        return insteadOf == null
                ? writes.answer(
                        () -> new EnrollStudent(student, course, studentLimit),
                        accepted -> enrolled(student, course, accepted))
                : writes.answer(
                        () -> new SwapCourse(student, course, new CourseId(insteadOf), studentLimit),
                        accepted -> enrolled(student, course, accepted));
    }

    private Answer<Enrollment> enrolled(StudentId student, CourseId course, Accepted<EnrollmentEvent, ?> accepted) {
        return accepted.events().contains(new StudentEnrolledInCourse(student, course))
                ? Answer.created(path(student, course), null)
                : Answer.changed(views.current(
                        rosters, accepted, tables -> RostersView.find(tables, course, student), Function.identity()));
    }

    private static String path(StudentId student, CourseId course) {
        return "/api/courses/%s/students/%s".formatted(course, student);
    }

    @PutMapping(path = "/courses/{courseId}/students/{studentId}/override", consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            summary = "Enroll a student in a course by override",
            description =
                    "Beyond seats, window, prerequisites, weekly times, limit and waiting list, for a reason that the roster shows"
                            + " to the course office. A student who waits leaves the waiting list. An enrolled student is"
                            + " refused, since nothing would record the reason")
    @ApiResponse(
            responseCode = "201",
            description = "Enrolled; without clashesWith if the views do not have it in time")
    ResponseEntity<Overridden> enrollByOverride(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId,
            @PathVariable @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) String studentId,
            @Valid @RequestBody NewOverride override) {
        CourseId course = new CourseId(courseId);
        StudentId student = new StudentId(studentId);
        return writes.answer(
                new EnrollByOverride(student, course, new OverrideReason(override.reason())),
                accepted -> Answer.created(path(student, course), overridden(student, course, accepted)));
    }

    private Overridden overridden(StudentId student, CourseId course, Accepted<EnrollmentEvent, ?> accepted) {
        return new Overridden(views.afterwards(
                accepted,
                searches -> clashes.of(course, List.of(student.value()), searches)
                        .getOrDefault(student.value(), List.of())));
    }

    @DeleteMapping("/courses/{courseId}/students/{studentId}")
    @Operation(summary = "Drop a student from a course")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    ResponseEntity<Void> dropStudent(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId,
            @PathVariable @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) String studentId) {
        return writes.answer(
                new DropStudent(new StudentId(studentId), new CourseId(courseId)), accepted -> Answer.noContent());
    }

    @GetMapping("/courses/{courseId}/students/{studentId}")
    @Operation(summary = "Look up a student's enrollment in a course")
    ResponseEntity<Enrollment> findEnrollment(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId,
            @PathVariable @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) String studentId,
            @RequestParam(required = false)
                    @Pattern(regexp = Consistency.PATTERN, message = Consistency.MESSAGE) @Parameter(description = Consistency.DESCRIPTION)
                    @Nullable String consistency) {
        CourseId course = new CourseId(courseId);
        StudentId student = new StudentId(studentId);
        return views.answer(
                Consistency.of(consistency),
                rosters,
                tables -> RostersView.find(tables, course, student),
                Unknown.enrollment(student, course),
                Function.identity());
    }

    @GetMapping("/courses/{courseId}/students")
    @Operation(
            summary = "List the students of a course, in the order of their enrollment",
            description =
                    "A page; with strong consistency, the whole list. With Accept: text/csv, the roster as a file with names")
    ResponseEntity<Roster> studentsOfCourse(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId,
            @RequestParam(defaultValue = "0") @Min(0) @Parameter(description = Pages.AFTER) long after,
            @RequestParam(defaultValue = Pages.DEFAULT_ENTRIES) @Min(1) @Max(Pages.MAX_ENTRIES) int limit,
            @RequestParam(required = false)
                    @Pattern(regexp = Consistency.PATTERN, message = Consistency.MESSAGE) @Parameter(description = Consistency.DESCRIPTION)
                    @Nullable String consistency) {
        CourseId course = new CourseId(courseId);
        Consistency asked = Consistency.of(consistency);
        return views.page(
                views.course(course),
                asked,
                rosters,
                tables -> asked == Consistency.STRONG
                        ? RostersView.ofCourse(tables, course)
                        : RostersView.ofCourse(tables, course, Position.of(after), limit),
                page -> Views.PageBody.of(
                        page.enrollments(), Roster::new, page.next().map(Position::toString)));
    }

    @GetMapping("/students/{studentId}/courses")
    @Operation(
            summary = "List the courses of a student, in the order of enrollment",
            description = "A page; with strong consistency, the whole list")
    ResponseEntity<Enrollments> coursesOfStudent(
            @PathVariable @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) String studentId,
            @RequestParam(defaultValue = "0") @Min(0) @Parameter(description = Pages.AFTER) long after,
            @RequestParam(defaultValue = Pages.DEFAULT_ENTRIES) @Min(1) @Max(Pages.MAX_ENTRIES) int limit,
            @RequestParam(required = false)
                    @Pattern(regexp = Consistency.PATTERN, message = Consistency.MESSAGE) @Parameter(description = Consistency.DESCRIPTION)
                    @Nullable String consistency) {
        StudentId student = new StudentId(studentId);
        Consistency asked = Consistency.of(consistency);
        return views.page(
                views.student(student),
                asked,
                rosters,
                tables -> asked == Consistency.STRONG
                        ? RostersView.ofStudent(tables, student)
                        : RostersView.ofStudent(tables, student, Position.of(after), limit),
                EnrollmentController::page);
    }

    private static Views.PageBody<Enrollments> page(RostersView.Page page) {
        return Views.PageBody.of(
                page.enrollments(), Enrollments::new, page.next().map(Position::toString));
    }
}
