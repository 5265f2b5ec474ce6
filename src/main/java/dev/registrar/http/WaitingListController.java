package dev.registrar.http;

import dev.registrar.catalog.CourseLimits;
import dev.registrar.catalog.WaitingListsView;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.JoinWaitingList;
import dev.registrar.enrollment.LeaveWaitingList;
import dev.registrar.enrollment.StudentId;
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
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Waiting lists: the students who wait for a seat in a course. */
@RestController
@RequestMapping(path = "/api", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Waiting lists", description = "Wait for a seat in a full course")
final class WaitingListController {
    static final String PLACE = "/courses/{courseId}/waiting-list/{studentId}";

    private final Writes writes;
    private final Views views;
    private final WaitingListsView lists;
    private final CourseLimits limits;

    WaitingListController(Writes writes, Views views, WaitingListsView lists, CourseLimits limits) {
        this.writes = writes;
        this.views = views;
        this.lists = lists;
        this.limits = limits;
    }

    record Place(
            @Schema(example = "maths-101") String courseId,
            @Schema(example = "ann") String studentId,
            Instant joinedAt,

            @Schema(description = "1 for the student whose turn is next", example = "1")
            int place,

            @Schema(description = "At the limit of courses: a free seat goes to the next student")
            boolean atLimit) {

        static Place of(WaitingListsView.Place place, Set<String> atLimit) {
            return new Place(
                    place.courseId(),
                    place.studentId(),
                    place.joinedAt(),
                    place.number(),
                    atLimit.contains(place.studentId()));
        }
    }

    record Places(List<Place> waiting) {}

    @PutMapping(PLACE)
    @Operation(
            summary = "Put a student on the waiting list of a course",
            description = "A free seat goes to the first student on the list who may take it")
    @ApiResponse(responseCode = "200", description = "The student was on the waiting list already")
    @ApiResponse(responseCode = "201", description = "Put at the end of the waiting list", content = @Content)
    ResponseEntity<Place> joinWaitingList(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId,
            @PathVariable @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) String studentId) {
        CourseId course = new CourseId(courseId);
        StudentId student = new StudentId(studentId);
        return writes.answer(
                new JoinWaitingList(student, course),
                accepted -> accepted.events().isEmpty()
                        ? Answer.changed(views.current(
                                lists, accepted, tables -> WaitingListsView.find(tables, course, student), this::place))
                        : Answer.created("/api/courses/%s/waiting-list/%s".formatted(courseId, studentId), null));
    }

    @DeleteMapping(PLACE)
    @Operation(summary = "Take a student off the waiting list of a course")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    ResponseEntity<Void> leaveWaitingList(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId,
            @PathVariable @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) String studentId) {
        return writes.answer(
                new LeaveWaitingList(new StudentId(studentId), new CourseId(courseId)), accepted -> Answer.noContent());
    }

    @GetMapping(PLACE)
    @Operation(summary = "Look up a student's place on the waiting list of a course")
    ResponseEntity<Place> findPlace(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId,
            @PathVariable @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) String studentId) {
        CourseId course = new CourseId(courseId);
        StudentId student = new StudentId(studentId);
        return views.answer(
                Consistency.VIEW,
                lists,
                tables -> WaitingListsView.find(tables, course, student),
                Unknown.place(student, course),
                this::place);
    }

    @GetMapping("/courses/{courseId}/waiting-list")
    @Operation(summary = "List the students who wait for a seat in a course, in the order of the list")
    ResponseEntity<Places> waitingListOfCourse(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId,
            @RequestParam(defaultValue = "0") @Min(0) @Parameter(description = Pages.AFTER) long after,
            @RequestParam(defaultValue = Pages.DEFAULT_ENTRIES) @Min(1) @Max(Pages.MAX_ENTRIES) int limit) {
        CourseId course = new CourseId(courseId);
        return views.page(
                views.course(course),
                Consistency.VIEW,
                lists,
                tables -> WaitingListsView.ofCourse(tables, course, Position.of(after), limit),
                this::page);
    }

    @GetMapping("/students/{studentId}/waiting-lists")
    @Operation(summary = "List the courses that a student waits for")
    ResponseEntity<Places> waitingListsOfStudent(
            @PathVariable @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) String studentId,
            @RequestParam(defaultValue = "0") @Min(0) @Parameter(description = Pages.AFTER) long after,
            @RequestParam(defaultValue = Pages.DEFAULT_ENTRIES) @Min(1) @Max(Pages.MAX_ENTRIES) int limit) {
        StudentId student = new StudentId(studentId);
        return views.page(
                views.student(student),
                Consistency.VIEW,
                lists,
                tables -> WaitingListsView.ofStudent(tables, student, Position.of(after), limit),
                this::page);
    }

    private Place place(WaitingListsView.Place place) {
        return Place.of(place, limits.reached(List.of(place), views::read));
    }

    private Views.PageBody<Places> page(WaitingListsView.Page page) {
        Set<String> atLimit = limits.reached(page.places(), views::read);
        return Views.PageBody.of(
                page.places().stream().map(place -> Place.of(place, atLimit)).toList(),
                Places::new,
                page.next().map(Position::toString));
    }
}
