package dev.registrar.http;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.registrar.catalog.Clashes;
import dev.registrar.catalog.Clashes.Clash;
import dev.registrar.catalog.CoursesView;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.enrollment.ChangeTimes;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.eventstore.Position;
import dev.registrar.http.CourseController.Course;
import dev.registrar.http.Writes.Answer;
import dev.registrar.http.problem.IdForm;
import dev.registrar.projection.ViewAt;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The weekly times of a course: change them, and list the students whose courses now overlap. */
@RestController
@RequestMapping(path = "/api/courses/{courseId}", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Courses")
final class CourseTimesController {
    /** Maximum number of students in the answer to a change. */
    private static final int FIRST = 100;

    private final Writes writes;
    private final Views views;
    private final CoursesView courses;
    private final Clashes clashes;

    CourseTimesController(Writes writes, Views views, CoursesView courses, Clashes clashes) {
        this.writes = writes;
        this.views = views;
        this.courses = courses;
        this.clashes = clashes;
    }

    /**
     * The students of a course who are in overlapping courses, too.
     *
     * @param count number of all of them
     * @param students the first ones, or those of a page
     * @param cut null if the search was not
     */
    record ClashingStudents(
            @Schema(description = "All students who clash; if the search was cut, those that it has found")
            long count,

            @Schema(description = "The students of the page, each with the courses that overlap")
            List<Clash> students,

            @Nullable @Schema(
                    description =
                            "True if the search ended at its bound of 3 seconds or 50,000 other courses, so that further students may clash; else absent")
            Boolean cut) {}

    /** A course after a change of its times. */
    record ChangedTimes(
            @JsonUnwrapped Course course,

            @Nullable @Schema(
                    description =
                            "The students whose other courses now overlap with it: their number, and the first 100; absent if there are none")
            ClashingStudents clashes) {}

    @PutMapping(path = "/times", consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            summary = "Set the weekly times of a course",
            description =
                    "Replaces all meetings. Enrolled students stay enrolled, even if other courses of theirs now overlap: the answer has their number and the first 100")
    ResponseEntity<ChangedTimes> changeTimes(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId,
            @Valid @RequestBody CourseTimes times) {
        CourseId course = new CourseId(courseId);
        return writes.answer(
                new ChangeTimes(course, CourseTimes.value(times.times())),
                accepted -> Answer.changed(changed(course, accepted)));
    }

    private @Nullable ChangedTimes changed(CourseId course, Accepted<EnrollmentEvent, ?> accepted) {
        ClashingStudents found =
                views.afterwards(accepted, search -> body(clashes.of(course, Position.START, FIRST, search)));
        if (found == null) {
            return null;
        }
        Course now = views.current(courses, accepted, tables -> CoursesView.find(tables, course), Course::of);
        boolean none = found.count() == 0 && found.cut() == null;
        return now == null ? null : new ChangedTimes(now, none ? null : found);
    }

    @GetMapping("/clashes")
    @Operation(
            summary = "List the students of a course who are in overlapping courses, too",
            description = "In the order of their enrollment; the Link header points to the next page, if there is one")
    ResponseEntity<ClashingStudents> clashesOfCourse(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId,
            @RequestParam(defaultValue = "0") @Min(0) @Parameter(description = Pages.AFTER) long after,
            @RequestParam(defaultValue = Pages.DEFAULT_ENTRIES) @Min(1) @Max(Pages.MAX_ENTRIES) int limit) {
        CourseId course = new CourseId(courseId);
        return views.<ClashingStudents>unlessExists(views.course(course))
                .orElseGet(() -> page(clashes.of(course, Position.of(after), limit, views::search)));
    }

    private ResponseEntity<ClashingStudents> page(ViewAt<Clashes.Page> read) {
        return views.page(
                read,
                page -> new Views.PageBody<>(
                        body(read), page.students().isEmpty(), page.next().map(Position::toString)));
    }

    private static ClashingStudents body(ViewAt<Clashes.Page> read) {
        Clashes.Page page = read.found();
        return new ClashingStudents(page.count(), page.students(), page.isCut() ? true : null);
    }
}
