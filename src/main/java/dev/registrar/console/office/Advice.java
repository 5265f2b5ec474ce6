package dev.registrar.console.office;

import dev.registrar.enrollment.ChangeCapacity;
import dev.registrar.enrollment.ChangePrerequisites;
import dev.registrar.enrollment.ChangeTier;
import dev.registrar.enrollment.CloseCourse;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.DropStudent;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.Refusal;
import dev.registrar.enrollment.RegisterStudent;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the course office can do next after a command was refused: the sentences that follow the domain's reason. */
final class Advice {
    static final String CONTENDED = "Others changed the same data at the same time, and nothing was done. Try again.";

    private static final String UNKNOWN_COURSE = "Check the id, or search for the course in the list.";
    private static final String UNKNOWN_STUDENT = "Check the id, or register the student first.";

    /* After these, the form is right, but the course or the student is not as it would have to be. */
    private static final Set<Refusal> FINAL = Set.of(
            ChangeCapacity.Refused.COURSE_CLOSED,
            ChangeCapacity.Refused.CAPACITY_UNCHANGED,
            ChangePrerequisites.Refused.COURSE_CLOSED,
            ChangePrerequisites.Refused.PREREQUISITES_UNCHANGED,
            EnrollStudent.Refused.ALREADY_ENROLLED,
            EnrollStudent.Refused.COURSE_CLOSED,
            EnrollStudent.Refused.OUTSIDE_ENROLLMENT_WINDOW,
            EnrollStudent.Refused.PREREQUISITE_MISSING,
            EnrollStudent.Refused.WAITING_LIST_NOT_EMPTY,
            EnrollStudent.Refused.COURSE_FULL,
            EnrollStudent.Refused.STUDENT_AT_LIMIT);

    private static final Map<Refusal, Link> LINKS = Map.of(
            DefineCourse.Refused.PREREQUISITE_UNDEFINED, Link.DEFINE,
            ChangePrerequisites.Refused.PREREQUISITE_UNDEFINED, Link.DEFINE,
            EnrollStudent.Refused.STUDENT_UNKNOWN, Link.REGISTER,
            EnrollStudent.Refused.COURSE_UNKNOWN, Link.COURSES,
            RegisterStudent.Refused.EMAIL_TAKEN, Link.STUDENTS);

    private Advice() {}

    /** Whether the form that was refused should be corrected and sent again. */
    static boolean asksForCorrection(Refusal reason) {
        return !FINAL.contains(reason);
    }

    /** Where to do what the sentence asks for; empty if that is the form itself. */
    static Optional<Link> link(Refusal reason) {
        return Optional.ofNullable(LINKS.get(reason));
    }

    static String after(DefineCourse.Refused reason) {
        return switch (reason) {
            case COURSE_ID_TAKEN -> "Choose another id.";
            case PREREQUISITE_CYCLE -> "Remove the course's own id from the required courses.";
            case PREREQUISITE_UNDEFINED -> "Define that course first, or leave it out.";
        };
    }

    static String after(ChangeCapacity.Refused reason) {
        return switch (reason) {
            case COURSE_UNKNOWN -> UNKNOWN_COURSE;
            case COURSE_CLOSED -> "The seats of a closed course no longer change.";
            case CAPACITY_UNCHANGED -> "Type another number if you meant one.";
            case CAPACITY_BELOW_ENROLLED -> "Type a larger number, or drop students first.";
        };
    }

    static String after(ChangePrerequisites.Refused reason) {
        return switch (reason) {
            case COURSE_UNKNOWN -> UNKNOWN_COURSE;
            case COURSE_CLOSED -> "The required courses of a closed course no longer change.";
            case PREREQUISITES_UNCHANGED -> "Type other courses if you meant others.";
            case PREREQUISITE_CYCLE -> "Leave out the course that leads back to this one.";
            case REQUIRED_COURSES_CHANGED -> CONTENDED;
            case TOO_MANY_REQUIRED_COURSES -> "Require fewer courses.";
            case PREREQUISITE_UNDEFINED -> "Define that course first, or leave it out.";
        };
    }

    static String after(CloseCourse.Refused reason) {
        return switch (reason) {
            case COURSE_UNKNOWN -> UNKNOWN_COURSE;
            case COURSE_ALREADY_CLOSED -> "There is nothing more to do.";
        };
    }

    static String after(EnrollStudent.Refused reason) {
        return switch (reason) {
            case COURSE_UNKNOWN -> UNKNOWN_COURSE;
            case STUDENT_UNKNOWN -> UNKNOWN_STUDENT;
            case ALREADY_ENROLLED -> "There is nothing more to do.";
            case COURSE_CLOSED -> "A closed course takes no more students.";
            case OUTSIDE_ENROLLMENT_WINDOW -> "Enroll the student while enrollment is open.";
            case PREREQUISITE_MISSING -> "Enroll the student in those courses first.";
            case WAITING_LIST_NOT_EMPTY -> "A free seat goes to the first student on the list.";
            case COURSE_FULL -> "Add seats. Students join the waiting list themselves, on the page of the course.";
            case STUDENT_AT_LIMIT -> "Drop another course of the student, or change the student's tier.";
        };
    }

    static String after(DropStudent.Refused reason) {
        return switch (reason) {
            case COURSE_UNKNOWN -> UNKNOWN_COURSE;
            case STUDENT_UNKNOWN -> UNKNOWN_STUDENT;
            case NOT_ENROLLED -> "There is nothing more to do.";
        };
    }

    static String after(RegisterStudent.Refused reason) {
        return switch (reason) {
            case STUDENT_ID_TAKEN -> "Choose another id.";
            case EMAIL_TAKEN -> "Search for the student in the list, or type another address.";
        };
    }

    static String after(ChangeTier.Refused reason) {
        return switch (reason) {
            case STUDENT_UNKNOWN -> UNKNOWN_STUDENT;
            case TIER_UNCHANGED -> "Choose another tier if you meant one.";
        };
    }
}
