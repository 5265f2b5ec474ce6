package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Enrolls a student in a course instead of another one: both happen, or neither. The rules are those of
 * {@link EnrollStudent} for a student who has dropped the other course already. A student who is enrolled in both drops
 * the other one.
 *
 * <p>The decision rests on the wanted course, on the student, and on the existence of the course to give up:
 * enrollments of others in that course do not make it conflict.
 *
 * @param course the wanted course
 * @param other the course to give up
 * @param limit maximum number of courses of a student without a tier
 * @param others the student's courses, as for {@link EnrollStudent}
 */
public record SwapCourse(StudentId student, CourseId course, CourseId other, int limit, OtherTimes others)
        implements Decision<EnrollmentEvent, Refusal>, StudentCommand {

    /** Why the courses are not swapped, beside the reasons of {@link EnrollStudent}. */
    public enum Refused implements Refusal {
        NOT_ENROLLED_IN_OTHER
    }

    /** The command as it is given. */
    public SwapCourse(StudentId student, CourseId course, CourseId other, int limit) {
        this(student, course, other, limit, OtherTimes.UNREAD);
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        return Stream.concat(enrollment().facts().stream(), Stream.of(CourseExistence.of(other)))
                .toList();
    }

    @Override
    public Verdict<EnrollmentEvent, Refusal> decide(Facts<EnrollmentEvent> facts, Instant now) {
        if (!facts.get(CourseExistence.of(other))) {
            return Verdict.refuse(EnrollStudent.Refused.COURSE_UNKNOWN, "There is no course %s".formatted(other));
        }
        StudentFacts.State present = facts.get(StudentFacts.of(student));
        boolean givesUp = present.registered() && present.isEnrolledIn(other) && !other.equals(course);
        if (givesUp && present.isEnrolledIn(course)) {
            return Verdict.accept(new StudentDroppedCourse(student, other));
        }
        Verdict<EnrollmentEvent, Refusal> enrollment = enrollment()
                .decide(
                        facts,
                        givesUp ? present.without(other) : present,
                        now,
                        read -> new SwapCourse(student, course, other, limit, read));
        if (enrollment instanceof Verdict.Refuse<EnrollmentEvent, Refusal> refuse) {
            return Verdict.refuse(refuse.reason(), refuse.explanation());
        }
        return givesUp
                ? new Verdict.Accept<>(
                        List.of(new StudentDroppedCourse(student, other), new StudentEnrolledInCourse(student, course)))
                : Verdict.refuse(
                        Refused.NOT_ENROLLED_IN_OTHER,
                        "Student %s is not enrolled in course %s, which is to be given up".formatted(student, other));
    }

    private EnrollStudent enrollment() {
        return new EnrollStudent(student, course, limit, others);
    }
}
