package dev.registrar.http;

import dev.registrar.catalog.RequiredCourses;
import dev.registrar.decision.CommandRegistry;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.ChangeCapacity;
import dev.registrar.enrollment.ChangeEmail;
import dev.registrar.enrollment.ChangeName;
import dev.registrar.enrollment.ChangePrerequisites;
import dev.registrar.enrollment.ChangeTier;
import dev.registrar.enrollment.ChangeTimes;
import dev.registrar.enrollment.ChangeTitle;
import dev.registrar.enrollment.ChangeWindow;
import dev.registrar.enrollment.CloseCourse;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.DropStudent;
import dev.registrar.enrollment.EmailAddress;
import dev.registrar.enrollment.EnrollByOverride;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.enrollment.JoinWaitingList;
import dev.registrar.enrollment.LeaveWaitingList;
import dev.registrar.enrollment.OverrideReason;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.enrollment.Refusal;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.StudentName;
import dev.registrar.enrollment.SwapCourse;
import dev.registrar.enrollment.Tier;
import dev.registrar.enrollment.WeeklyTimes;
import dev.registrar.eventstore.EventStore;
import dev.registrar.http.CourseController.NewCourse;
import dev.registrar.http.CourseTimes.WeeklyMeeting;
import dev.registrar.http.StudentController.NewStudent;
import dev.registrar.http.problem.IdForm;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
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
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Registers the commands that clients may send, each with the form of its data. */
@Configuration(proxyBeanMethods = false)
class CourseOfficeCommands {
    record CourseData(
            @NotNull @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) @Schema(example = "maths-101")
            String courseId) {

        CourseId course() {
            return new CourseId(courseId);
        }
    }

    record TitleData(
            @NotNull @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) @Schema(example = "maths-101")
            String courseId,

            @NotNull @Fits(Fits.Value.COURSE_TITLE)
            @Schema(
                    minLength = 1,
                    maxLength = CourseTitle.MAX_LENGTH,
                    pattern = CourseTitle.PATTERN,
                    example = "Mathematics 102")
            String title) {

        ChangeTitle command() {
            return new ChangeTitle(new CourseId(courseId), new CourseTitle(title));
        }
    }

    record CapacityData(
            @NotNull @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) @Schema(example = "maths-101")
            String courseId,

            @NotNull @Min(1) @Max(Capacity.MAX) @Schema(example = "40")
            Integer capacity) {

        ChangeCapacity command() {
            return new ChangeCapacity(new CourseId(courseId), new Capacity(capacity));
        }
    }

    record WindowData(
            @NotNull @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) @Schema(example = "maths-101")
            String courseId,

            @Nullable @Fits(Fits.Value.END_OF_ENROLLMENT_WINDOW) @Schema(example = "2026-09-01T08:00:00Z")
            Instant opensAt,

            @Nullable @Fits(Fits.Value.END_OF_ENROLLMENT_WINDOW) @Schema(example = "2026-10-15T00:00:00Z")
            Instant closesAt) {

        ChangeWindow command() {
            return new ChangeWindow(new CourseId(courseId), NewCourse.window(opensAt, closesAt));
        }
    }

    @GroupSequence({PrerequisitesData.class, EachElement.class})
    record PrerequisitesData(
            @NotNull @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) @Schema(example = "maths-101")
            String courseId,

            @NotNull @Size(max = Prerequisites.MAX, message = "must have at most " + Prerequisites.MAX + " courses") @ArraySchema(schema = @Schema(pattern = CourseId.PATTERN, example = "maths-100"))
            List<
                            @NotNull(groups = EachElement.class, message = IdForm.MESSAGE) @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE, groups = EachElement.class) String>
                    prerequisites) {

        ChangePrerequisites command(EventStore store, EnrollmentEventCodec codec) {
            return RequiredCourses.change(store, codec, new CourseId(courseId), Prerequisites.of(prerequisites));
        }
    }

    record NameData(
            @NotNull @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) @Schema(example = "ann")
            String studentId,

            @NotNull @Fits(Fits.Value.STUDENT_NAME)
            @Schema(
                    minLength = 1,
                    maxLength = StudentName.MAX_LENGTH,
                    pattern = StudentName.PATTERN,
                    example = "Ann Arbor")
            String name) {

        ChangeName command() {
            return new ChangeName(new StudentId(studentId), new StudentName(name));
        }
    }

    record EmailData(
            @NotNull @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) @Schema(example = "ann")
            String studentId,

            @NotNull @Fits(Fits.Value.EMAIL_ADDRESS)
            @Schema(maxLength = EmailAddress.MAX_LENGTH, pattern = EmailAddress.PATTERN, example = "ann@example.org")
            String email) {

        ChangeEmail command() {
            return new ChangeEmail(new StudentId(studentId), new EmailAddress(email));
        }
    }

    record TimesData(
            @NotNull @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) @Schema(example = "maths-101")
            String courseId,

            @NotNull @Size(max = WeeklyTimes.MAX, message = "must have at most " + WeeklyTimes.MAX + " meetings") List<@NotNull @Valid WeeklyMeeting> times) {

        ChangeTimes command() {
            return new ChangeTimes(new CourseId(courseId), CourseTimes.value(times));
        }
    }

    record TierData(
            @NotNull @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) @Schema(example = "ann")
            String studentId,

            @NotNull @Pattern(regexp = Tier.PATTERN, message = "must be one of basic, standard, professional, master") @Schema(example = "professional")
            String tier) {

        ChangeTier command() {
            return new ChangeTier(new StudentId(studentId), Tier.of(tier));
        }
    }

    record StudentInCourseData(
            @NotNull @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) @Schema(example = "ann")
            String studentId,

            @NotNull @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) @Schema(example = "maths-101")
            String courseId) {

        StudentId student() {
            return new StudentId(studentId);
        }

        CourseId course() {
            return new CourseId(courseId);
        }
    }

    record SwapData(
            @NotNull @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) @Schema(example = "ann")
            String studentId,

            @NotNull @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) @Schema(example = "maths-101")
            String courseId,

            @NotNull @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) @Schema(example = "logic-101", description = "The course to drop")
            String insteadOf) {

        SwapCourse command(int limit) {
            return new SwapCourse(new StudentId(studentId), new CourseId(courseId), new CourseId(insteadOf), limit);
        }
    }

    record OverrideData(
            @NotNull @Pattern(regexp = StudentId.PATTERN, message = IdForm.MESSAGE) @Schema(example = "ann")
            String studentId,

            @NotNull @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) @Schema(example = "maths-101")
            String courseId,

            @NotNull @Fits(Fits.Value.OVERRIDE_REASON)
            @Schema(
                    minLength = 1,
                    maxLength = OverrideReason.MAX_LENGTH,
                    pattern = OverrideReason.PATTERN,
                    example = "Retakes the course")
            String reason) {

        EnrollByOverride command() {
            return new EnrollByOverride(new StudentId(studentId), new CourseId(courseId), new OverrideReason(reason));
        }
    }

    @Bean
    CommandRegistry<EnrollmentEvent, Refusal> commandRegistry(
            EnrollmentSettings settings, EventStore store, EnrollmentEventCodec codec) {
        return CommandRegistry.<EnrollmentEvent, Refusal>empty()
                .with("DefineCourse", NewCourse.class, NewCourse::command)
                .with("ChangeTitle", TitleData.class, TitleData::command)
                .with("ChangeCapacity", CapacityData.class, CapacityData::command)
                .with("ChangeWindow", WindowData.class, WindowData::command)
                .with("ChangePrerequisites", PrerequisitesData.class, data -> data.command(store, codec))
                .with("ChangeTimes", TimesData.class, TimesData::command)
                .with("CloseCourse", CourseData.class, data -> new CloseCourse(data.course()))
                .with("RegisterStudent", NewStudent.class, NewStudent::command)
                .with("ChangeName", NameData.class, NameData::command)
                .with("ChangeEmail", EmailData.class, EmailData::command)
                .with("ChangeTier", TierData.class, TierData::command)
                .with(
                        "EnrollStudent",
                        StudentInCourseData.class,
                        data -> new EnrollStudent(data.student(), data.course(), settings.coursesPerStudent()))
                .with("SwapCourse", SwapData.class, data -> data.command(settings.coursesPerStudent()))
                .with("EnrollByOverride", OverrideData.class, OverrideData::command)
                .with("DropStudent", StudentInCourseData.class, data -> new DropStudent(data.student(), data.course()))
                .with(
                        "JoinWaitingList",
                        StudentInCourseData.class,
                        data -> new JoinWaitingList(data.student(), data.course()))
                .with(
                        "LeaveWaitingList",
                        StudentInCourseData.class,
                        data -> new LeaveWaitingList(data.student(), data.course()));
    }
}
