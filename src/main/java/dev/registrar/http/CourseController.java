package dev.registrar.http;

import dev.registrar.catalog.CourseView;
import dev.registrar.catalog.CoursesView;
import dev.registrar.catalog.RequiredCourses;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.ChangeCapacity;
import dev.registrar.enrollment.ChangeTitle;
import dev.registrar.enrollment.ChangeWindow;
import dev.registrar.enrollment.CloseCourse;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.enrollment.WeeklyTimes;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.TimeOrderedId;
import dev.registrar.http.CourseTimes.WeeklyMeeting;
import dev.registrar.http.Writes.Answer;
import dev.registrar.http.problem.IdForm;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.http.problem.Unknown;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.GroupSequence;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
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

/** Courses: define, look up, change, close. */
@RestController
@RequestMapping(path = "/api/courses", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Courses", description = "Define, look up, change and close courses")
final class CourseController {
    private final Writes writes;
    private final Views views;
    private final CoursesView courses;
    private final EventStore store;
    private final EnrollmentEventCodec codec;

    CourseController(Writes writes, Views views, CoursesView courses, EventStore store, EnrollmentEventCodec codec) {
        this.writes = writes;
        this.views = views;
        this.courses = courses;
        this.store = store;
        this.codec = codec;
    }

    @GroupSequence({NewCourse.class, EachElement.class})
    record NewCourse(
            @Nullable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) @Schema(description = "Generated if absent", example = "maths-101")
            String id,

            @NotNull @Fits(Fits.Value.COURSE_TITLE)
            @Schema(
                    minLength = 1,
                    maxLength = CourseTitle.MAX_LENGTH,
                    pattern = CourseTitle.PATTERN,
                    example = "Mathematics 101")
            String title,

            @NotNull @Min(1) @Max(Capacity.MAX) @Schema(example = "30")
            Integer capacity,

            @Nullable @Fits(Fits.Value.END_OF_ENROLLMENT_WINDOW)
            @Schema(
                    description = "When enrollment begins, in the years 1 to 9999 (UTC), truncated to microseconds",
                    example = "2026-09-01T08:00:00Z")
            Instant opensAt,

            @Nullable @Fits(Fits.Value.END_OF_ENROLLMENT_WINDOW)
            @Schema(
                    description = "When enrollment ends, in the years 1 to 9999 (UTC), truncated to microseconds",
                    example = "2026-10-01T00:00:00Z")
            Instant closesAt,

            @Nullable @Size(max = Prerequisites.MAX, message = "must have at most " + Prerequisites.MAX + " courses") @ArraySchema(
                    arraySchema =
                            @Schema(description = "Courses that a student must be enrolled in first; each must exist"),
                    schema = @Schema(pattern = CourseId.PATTERN, example = "maths-100"))
            List<
                            @NotNull(groups = EachElement.class, message = IdForm.MESSAGE) @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE, groups = EachElement.class) String>
                    prerequisites,

            @Nullable @Size(max = WeeklyTimes.MAX, message = "must have at most " + WeeklyTimes.MAX + " meetings") @ArraySchema(arraySchema = @Schema(description = "Weekly meetings in local time, without overlaps"))
            List<@NotNull @Valid WeeklyMeeting> times) {

        DefineCourse command() {
            String courseId = id == null ? TimeOrderedId.next().toString() : id;
            return new DefineCourse(
                    new CourseId(courseId),
                    new CourseTitle(title),
                    new Capacity(capacity),
                    window(opensAt, closesAt),
                    prerequisites == null ? Prerequisites.NONE : Prerequisites.of(prerequisites),
                    times == null ? WeeklyTimes.NONE : CourseTimes.value(times));
        }

        static EnrollmentWindow window(@Nullable Instant opensAt, @Nullable Instant closesAt) {
            try {
                return new EnrollmentWindow(opensAt, closesAt);
            } catch (IllegalArgumentException refused) {
                throw new InvalidValueException("/closesAt", String.valueOf(refused.getMessage()));
            }
        }
    }

    @Schema(name = "CourseTitle")
    record NewTitle(
            @NotNull @Fits(Fits.Value.COURSE_TITLE)
            @Schema(
                    minLength = 1,
                    maxLength = CourseTitle.MAX_LENGTH,
                    pattern = CourseTitle.PATTERN,
                    example = "Mathematics 102")
            String title) {}

    @Schema(name = "CourseCapacity")
    record NewCapacity(
            @NotNull @Min(1) @Max(Capacity.MAX) @Schema(example = "40")
            Integer capacity) {}

    @Schema(name = "EnrollmentWindow")
    record NewWindow(
            @Nullable @Fits(Fits.Value.END_OF_ENROLLMENT_WINDOW)
            @Schema(
                    description = "When enrollment begins, in the years 1 to 9999 (UTC), truncated to microseconds;"
                            + " without it, enrollment has begun",
                    example = "2026-09-01T08:00:00Z")
            Instant opensAt,

            @Nullable @Fits(Fits.Value.END_OF_ENROLLMENT_WINDOW)
            @Schema(
                    description = "When enrollment ends, in the years 1 to 9999 (UTC), truncated to microseconds;"
                            + " without it, enrollment does not end",
                    example = "2026-10-15T00:00:00Z")
            Instant closesAt) {}

    @GroupSequence({NewPrerequisites.class, EachElement.class})
    @Schema(name = "CoursePrerequisites")
    record NewPrerequisites(
            @NotNull @Size(max = Prerequisites.MAX, message = "must have at most " + Prerequisites.MAX + " courses") @ArraySchema(
                    arraySchema =
                            @Schema(description = "All courses that a student must be enrolled in first; may be empty"),
                    schema = @Schema(pattern = CourseId.PATTERN, example = "maths-100"))
            List<
                            @NotNull(groups = EachElement.class, message = IdForm.MESSAGE) @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE, groups = EachElement.class) String>
                    prerequisites) {}

    record Course(
            @Schema(example = "maths-101") String id,
            @Schema(example = "Mathematics 101") String title,
            @Schema(example = "30") int capacity,
            @Schema(example = "1") int enrolled,
            @Schema(example = "29") int available,

            @Schema(description = "Students on the waiting list", example = "0")
            int waiting,

            boolean full,
            boolean closed,
            @Nullable Instant opensAt,
            @Nullable Instant closesAt,

            @Nullable @Schema(
                    description = "Courses that a student must be enrolled in first; absent if there are none",
                    example = "[\"maths-100\"]")
            List<String> prerequisites,

            @Nullable @Schema(description = "Weekly meetings in local time; absent if there are none")
            List<WeeklyMeeting> times) {

        static Course of(CourseView view) {
            return new Course(
                    view.id(),
                    view.title(),
                    view.capacity(),
                    view.enrolled(),
                    view.available(),
                    view.waiting(),
                    view.full(),
                    view.closed(),
                    view.opensAt(),
                    view.closesAt(),
                    view.prerequisites().isEmpty() ? null : view.prerequisites(),
                    view.times().isEmpty() ? null : CourseTimes.of(view.times()));
        }
    }

    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            summary = "Define a course",
            description = "The answer to a repetition has no body if the view does not show the course in time")
    @ResponseStatus(HttpStatus.CREATED)
    ResponseEntity<Course> defineCourse(@Valid @RequestBody NewCourse course) {
        return writes.answer(course.command(), accepted -> {
            CourseDefined defined = (CourseDefined) accepted.events().getFirst();
            return Answer.created(
                    "/api/courses/" + defined.course(),
                    accepted.repeated() ? current(defined.course(), accepted) : Course.of(CourseView.of(defined)));
        });
    }

    @PutMapping(path = "/{courseId}/title", consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(summary = "Change the title of a course", description = "A closed course gets a new title, too")
    ResponseEntity<Course> changeTitle(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId,
            @Valid @RequestBody NewTitle title) {
        CourseId course = new CourseId(courseId);
        return writes.answer(
                new ChangeTitle(course, new CourseTitle(title.title())),
                accepted -> Answer.changed(current(course, accepted)));
    }

    @PutMapping(path = "/{courseId}/capacity", consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            summary = "Change the number of seats of a course",
            description = "Not to fewer seats than students, unless a course with more students than seats gets more")
    ResponseEntity<Course> changeCapacity(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId,
            @Valid @RequestBody NewCapacity capacity) {
        CourseId course = new CourseId(courseId);
        return writes.answer(
                new ChangeCapacity(course, new Capacity(capacity.capacity())),
                accepted -> Answer.changed(current(course, accepted)));
    }

    @PutMapping(path = "/{courseId}/window", consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            summary = "Change or reopen the enrollment window of a course",
            description = "Replaces both ends. A later end opens the enrollment again, and free seats go to the waiting"
                    + " list. While students wait, the window must not begin later than now")
    ResponseEntity<Course> changeWindow(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId,
            @Valid @RequestBody NewWindow window) {
        CourseId course = new CourseId(courseId);
        return writes.answer(
                new ChangeWindow(course, NewCourse.window(window.opensAt(), window.closesAt())),
                accepted -> Answer.changed(current(course, accepted)));
    }

    @PutMapping(path = "/{courseId}/prerequisites", consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            summary = "Set the prerequisites of a course",
            description = "Replaces all prerequisites. Enrolled students stay enrolled")
    ResponseEntity<Course> changePrerequisites(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId,
            @Valid @RequestBody NewPrerequisites prerequisites) {
        CourseId course = new CourseId(courseId);
        Prerequisites all = Prerequisites.of(prerequisites.prerequisites());
        return writes.answer(
                () -> RequiredCourses.change(store, codec, course, all),
                accepted -> Answer.changed(current(course, accepted)));
    }

    @PostMapping("/{courseId}/close")
    @Operation(summary = "Close a course to enrollment")
    ResponseEntity<Course> closeCourse(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId) {
        CourseId course = new CourseId(courseId);
        return writes.answer(new CloseCourse(course), accepted -> Answer.changed(current(course, accepted)));
    }

    @GetMapping("/{courseId}")
    @Operation(summary = "Look up a course with its seats")
    ResponseEntity<Course> findCourse(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId,
            @RequestParam(required = false)
                    @Pattern(regexp = Consistency.PATTERN, message = Consistency.MESSAGE) @Parameter(description = Consistency.DESCRIPTION)
                    @Nullable String consistency) {
        CourseId course = new CourseId(courseId);
        return views.answer(
                Consistency.of(consistency),
                courses,
                tables -> CoursesView.find(tables, course),
                Unknown.course(course),
                Course::of);
    }

    private @Nullable Course current(CourseId course, Accepted<EnrollmentEvent, ?> accepted) {
        return views.current(courses, accepted, tables -> CoursesView.find(tables, course), Course::of);
    }
}
