package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Enrolls a student in a course. The student must be enrolled in its prerequisites and below the limit; the course must
 * have a free seat and an empty waiting list, and its times must not overlap those of the student's other courses.
 *
 * @param limit maximum number of courses of a student without a tier
 * @param others the student's courses, if the times of the course make it necessary to compare them
 */
public record EnrollStudent(StudentId student, CourseId course, int limit, OtherTimes others)
        implements Decision<EnrollmentEvent, Refusal>, StudentCommand {

    /** Why the student is not enrolled. */
    public enum Refused implements Refusal {
        COURSE_UNKNOWN,
        STUDENT_UNKNOWN,
        ALREADY_ENROLLED,
        COURSE_CLOSED,
        OUTSIDE_ENROLLMENT_WINDOW,
        PREREQUISITE_MISSING,
        WAITING_LIST_NOT_EMPTY,
        COURSE_FULL,
        STUDENT_AT_LIMIT,
        /** The reason of the refusal itself is a {@link TimesClash}, which names the courses. */
        TIMES_CLASH,
        TOO_MANY_COURSES_TO_COMPARE
    }

    /** The command as it is given. */
    public EnrollStudent(StudentId student, CourseId course, int limit) {
        this(student, course, limit, OtherTimes.UNREAD);
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        return Stream.concat(Stream.of(CourseFacts.of(course), StudentFacts.of(student)), others.facts())
                .toList();
    }

    @Override
    public Verdict<EnrollmentEvent, Refusal> decide(Facts<EnrollmentEvent> facts, Instant now) {
        return decide(
                facts,
                facts.get(StudentFacts.of(student)),
                now,
                read -> new EnrollStudent(student, course, limit, read));
    }

    /**
     * Decides on a state of the student that need not be the present one.
     *
     * @param again the same command with the times of the student's courses
     */
    Verdict<EnrollmentEvent, Refusal> decide(
            Facts<EnrollmentEvent> facts,
            StudentFacts.State studentState,
            Instant now,
            Function<OtherTimes, Decision<EnrollmentEvent, Refusal>> again) {
        CourseFacts.State courseState = facts.get(CourseFacts.of(course));
        if (!courseState.defined()) {
            return Verdict.refuse(Refused.COURSE_UNKNOWN, "There is no course %s".formatted(course));
        }
        if (!studentState.registered()) {
            return Verdict.refuse(Refused.STUDENT_UNKNOWN, "There is no student %s".formatted(student));
        }
        if (studentState.isEnrolledIn(course)) {
            return Verdict.refuse(
                    Refused.ALREADY_ENROLLED, "Student %s is already enrolled in course %s".formatted(student, course));
        }
        if (courseState.closed()) {
            return Verdict.refuse(Refused.COURSE_CLOSED, "Course %s is closed".formatted(course));
        }
        if (!courseState.window().isOpenAt(now)) {
            return Verdict.refuse(
                    Refused.OUTSIDE_ENROLLMENT_WINDOW,
                    "Course %s takes enrollments %s, but the time is %s"
                            .formatted(course, courseState.window(), now.truncatedTo(ChronoUnit.MICROS)));
        }
        Prerequisites missing = courseState.prerequisites().missing(studentState.courses());
        if (!missing.isEmpty()) {
            return Verdict.refuse(
                    Refused.PREREQUISITE_MISSING,
                    "Course %s requires courses in which student %s is not enrolled: %s"
                            .formatted(course, student, missing));
        }
        if (courseState.waiting() > 0) {
            return Verdict.refuse(
                    Refused.WAITING_LIST_NOT_EMPTY,
                    "Course %s has %s on its waiting list, which takes precedence"
                            .formatted(course, new Counted(courseState.waiting(), "student")));
        }
        if (courseState.full()) {
            return Verdict.refuse(
                    Refused.COURSE_FULL,
                    "Course %s is full: %s of %s taken"
                            .formatted(course, courseState.enrolled(), new Counted(courseState.seats(), "seat")));
        }
        if (studentState.isAtLimit(limit)) {
            return Verdict.refuse(
                    Refused.STUDENT_AT_LIMIT,
                    "Student %s is enrolled in %s (%s)"
                            .formatted(
                                    student,
                                    new Counted(studentState.courses().size(), "course"),
                                    studentState.describedLimit(limit)));
        }
        return inTime(facts, courseState.times(), studentState.courses(), again);
    }

    private Verdict<EnrollmentEvent, Refusal> inTime(
            Facts<EnrollmentEvent> facts,
            WeeklyTimes times,
            Set<CourseId> enrolledIn,
            Function<OtherTimes, Decision<EnrollmentEvent, Refusal>> again) {
        if (times.isEmpty()) {
            return Verdict.accept(new StudentEnrolledInCourse(student, course));
        }
        if (enrolledIn.size() > OtherTimes.MAX) {
            return Verdict.refuse(
                    Refused.TOO_MANY_COURSES_TO_COMPARE,
                    "Student %s is enrolled in %s courses, and course %s has weekly times, which are compared with those of at most %s courses"
                            .formatted(student, enrolledIn.size(), course, OtherTimes.MAX));
        }
        if (!others.areRead(enrolledIn)) {
            return Verdict.refuse(
                    new MoreFacts(again.apply(new OtherTimes(enrolledIn))), "The student has other courses");
        }
        List<CourseId> clashing = others.clashing(times, enrolledIn, facts);
        return clashing.isEmpty()
                ? Verdict.accept(new StudentEnrolledInCourse(student, course))
                : Verdict.refuse(
                        new TimesClash(clashing),
                        "Course %s clashes for student %s: %s"
                                .formatted(course, student, others.described(times, clashing.getFirst(), facts)));
    }
}
