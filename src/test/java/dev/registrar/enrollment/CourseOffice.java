package dev.registrar.enrollment;

import dev.registrar.decision.testkit.Scenario;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.CoursePrerequisitesChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledByOverride;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEvent.StudentTierChanged;
import java.util.Set;

/** The courses and students of the tests, and their events. */
final class CourseOffice {
    static final CourseId MATHS = new CourseId("maths");
    static final CourseId MUSIC = new CourseId("music");
    static final CourseId LATIN = new CourseId("latin");
    static final StudentId ANN = new StudentId("ann");
    static final StudentId BOB = new StudentId("bob");
    static final StudentId CID = new StudentId("cid");
    static final OverrideReason RETAKES = new OverrideReason("Retakes the course");

    static Scenario<EnrollmentEvent> given(EnrollmentEvent... events) {
        return Scenario.of(new EnrollmentEventCodec()).given(events);
    }

    static CourseDefined courseDefined(CourseId course, Capacity capacity) {
        return courseDefined(course, capacity, EnrollmentWindow.ALWAYS);
    }

    static CourseDefined courseDefined(CourseId course, Capacity capacity, EnrollmentWindow window) {
        return new CourseDefined(course, title(course), capacity, window);
    }

    /** A course with one seat. */
    static CourseDefined courseDefined(CourseId course, Prerequisites prerequisites) {
        return new CourseDefined(course, title(course), seats(1), EnrollmentWindow.ALWAYS, prerequisites);
    }

    static CoursePrerequisitesChanged prerequisitesChanged(CourseId course, CourseId... prerequisites) {
        return new CoursePrerequisitesChanged(course, requires(prerequisites));
    }

    static Prerequisites requires(CourseId... courses) {
        return new Prerequisites(Set.of(courses));
    }

    static CourseCapacityChanged capacityChanged(CourseId course, Capacity capacity) {
        return new CourseCapacityChanged(course, capacity);
    }

    static CourseClosed courseClosed(CourseId course) {
        return new CourseClosed(course);
    }

    static StudentRegistered studentRegistered(StudentId student) {
        return new StudentRegistered(student, new StudentName(student.value()), email(student));
    }

    static StudentTierChanged studentTier(StudentId student, Tier tier) {
        return new StudentTierChanged(student, tier);
    }

    static StudentEnrolledInCourse studentEnrolled(StudentId student, CourseId course) {
        return new StudentEnrolledInCourse(student, course);
    }

    static StudentEnrolledByOverride studentEnrolledByOverride(StudentId student, CourseId course) {
        return new StudentEnrolledByOverride(student, course, RETAKES);
    }

    static StudentDroppedCourse studentDropped(StudentId student, CourseId course) {
        return new StudentDroppedCourse(student, course);
    }

    static StudentJoinedWaitingList studentWaits(StudentId student, CourseId course) {
        return new StudentJoinedWaitingList(student, course);
    }

    static StudentLeftWaitingList studentWaitsNoMore(StudentId student, CourseId course) {
        return new StudentLeftWaitingList(student, course);
    }

    static Capacity seats(int seats) {
        return new Capacity(seats);
    }

    static CourseTitle title(CourseId course) {
        return new CourseTitle("All about " + course);
    }

    static EmailAddress email(StudentId student) {
        return new EmailAddress(student + "@example.org");
    }

    private CourseOffice() {}
}
