package dev.registrar.enrollment;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.registrar.eventstore.Tag;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The events of the course office.
 *
 * <p>Each fact, view and automation about several events has a sealed interface of them. Its query has the types of
 * these events, and its {@code switch} covers them, so that neither can lack an event of the other. An event may be one
 * of several interfaces.
 */
public sealed interface EnrollmentEvent {

    /** The tags of the course and the student that the event concerns, always in the same order. */
    Set<Tag> tags();

    /** An event of a course: all that the list of courses tells. */
    sealed interface CourseEvent extends EnrollmentEvent {
        @JsonProperty("courseId")
        CourseId course();

        @Override
        default Set<Tag> tags() {
            return inOrder(course().tag());
        }
    }

    /** An event of a student. */
    sealed interface StudentEvent extends EnrollmentEvent {
        @JsonProperty("studentId")
        StudentId student();

        @Override
        default Set<Tag> tags() {
            return inOrder(student().tag());
        }
    }

    /** An event of a course on which enrollments depend: all of its events but a new title. */
    sealed interface SeatEvent extends CourseEvent {}

    /** The title of a course. */
    sealed interface CourseTitleEvent extends CourseEvent {}

    /** A change of the prerequisites of a course, or of whether they can change. */
    sealed interface PrerequisiteEvent extends SeatEvent {}

    /** A change of the weekly times of a course. */
    sealed interface TimesEvent extends SeatEvent {}

    /** A change of the courses that a student is enrolled in, or of how many these may be. */
    sealed interface CourseLoadEvent extends StudentEvent {}

    /** A change of a student's name, address or tier. */
    sealed interface StudentProfileEvent extends StudentEvent {}

    /** The beginning or the end of a student's e-mail address. */
    sealed interface EmailEvent extends StudentProfileEvent {
        EmailAddress email();
    }

    /** An event with something personal in it, other than the student's id, which is a pseudonym. */
    sealed interface PersonalEvent extends StudentEvent {
        /** The same event without what is personal. */
        PersonalEvent masked();
    }

    /** What the rosters of courses tell. */
    sealed interface RosterEvent extends EnrollmentEvent {}

    /** The beginning or the end of an enrollment. */
    sealed interface EnrollmentChange extends SeatEvent, CourseLoadEvent, RosterEvent {
        @Override
        default Set<Tag> tags() {
            return inOrder(course().tag(), student().tag());
        }
    }

    /** The beginning or the end of a place on a waiting list. */
    sealed interface WaitingListChange extends SeatEvent, StudentEvent, WaitingListCause {
        @Override
        default Set<Tag> tags() {
            return inOrder(course().tag(), student().tag());
        }
    }

    /** An event after which a student on a waiting list may take a seat, or the list ends. */
    sealed interface WaitingListCause extends EnrollmentEvent {}

    record CourseDefined(
            CourseId course,
            CourseTitle title,
            Capacity capacity,
            EnrollmentWindow window,
            Prerequisites prerequisites,
            WeeklyTimes times)
            implements PrerequisiteEvent, TimesEvent, CourseTitleEvent {

        /** A course without weekly times. */
        public CourseDefined(
                CourseId course,
                CourseTitle title,
                Capacity capacity,
                EnrollmentWindow window,
                Prerequisites prerequisites) {
            this(course, title, capacity, window, prerequisites, WeeklyTimes.NONE);
        }

        /** A course without prerequisites. */
        public CourseDefined(CourseId course, CourseTitle title, Capacity capacity, EnrollmentWindow window) {
            this(course, title, capacity, window, Prerequisites.NONE);
        }
    }

    record CourseTitleChanged(CourseId course, CourseTitle title) implements CourseTitleEvent {}

    record CourseCapacityChanged(CourseId course, Capacity capacity) implements SeatEvent, WaitingListCause {}

    record EnrollmentWindowChanged(CourseId course, EnrollmentWindow window) implements SeatEvent, WaitingListCause {}

    /** Contains all prerequisites of the course from now on. */
    record CoursePrerequisitesChanged(CourseId course, Prerequisites prerequisites) implements PrerequisiteEvent {}

    /** Contains all weekly times of the course from now on. */
    record CourseTimesChanged(CourseId course, WeeklyTimes times) implements TimesEvent, WaitingListCause {}

    record CourseClosed(CourseId course) implements PrerequisiteEvent, WaitingListCause {}

    record StudentRegistered(StudentId student, StudentName name, EmailAddress email)
            implements EmailEvent, CourseLoadEvent, PersonalEvent {
        @Override
        public Set<Tag> tags() {
            return withAddresses(student, email);
        }

        @Override
        public StudentRegistered masked() {
            return new StudentRegistered(student, StudentName.ERASED, EmailAddress.ERASED);
        }
    }

    record StudentNameChanged(StudentId student, StudentName name) implements StudentProfileEvent, PersonalEvent {
        @Override
        public StudentNameChanged masked() {
            return new StudentNameChanged(student, StudentName.ERASED);
        }
    }

    /** Has the tags of both addresses, because the former one is free for other students from now on. */
    record StudentEmailChanged(StudentId student, EmailAddress email, EmailAddress formerEmail)
            implements EmailEvent, PersonalEvent {
        @Override
        public Set<Tag> tags() {
            return withAddresses(student, email, formerEmail);
        }

        @Override
        public StudentEmailChanged masked() {
            return new StudentEmailChanged(student, EmailAddress.ERASED, EmailAddress.ERASED);
        }
    }

    record StudentTierChanged(StudentId student, Tier tier)
            implements StudentProfileEvent, CourseLoadEvent, WaitingListCause {}

    record StudentEnrolledInCourse(StudentId student, CourseId course) implements EnrollmentChange {}

    /** The course office enrolled the student, whatever the rules say about it. */
    record StudentEnrolledByOverride(StudentId student, CourseId course, OverrideReason reason)
            implements EnrollmentChange, PersonalEvent {
        @Override
        public StudentEnrolledByOverride masked() {
            return new StudentEnrolledByOverride(student, course, OverrideReason.ERASED);
        }
    }

    record StudentDroppedCourse(StudentId student, CourseId course) implements EnrollmentChange, WaitingListCause {}

    record StudentJoinedWaitingList(StudentId student, CourseId course) implements WaitingListChange {}

    /**
     * The student gave up the place, lost it, or got a seat. In the last case the same append contains the enrollment;
     * a place is lost if a prerequisite is missing when it is the student's turn, or after the course was closed.
     */
    record StudentLeftWaitingList(StudentId student, CourseId course) implements WaitingListChange {}

    /**
     * The course office erases the student's personal data: what views and others have of it goes. It precedes the
     * erasure in the log, so that no later event of the student has a name or an address. Enrollments stay.
     */
    record StudentErased(StudentId student) implements StudentProfileEvent, RosterEvent {}

    private static Set<Tag> withAddresses(StudentId student, EmailAddress... addresses) {
        Set<Tag> tags = new LinkedHashSet<>();
        tags.add(student.tag());
        for (EmailAddress address : addresses) {
            tags.addAll(address.tags());
        }
        return Collections.unmodifiableSet(tags);
    }

    private static Set<Tag> inOrder(Tag... tags) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(List.of(tags)));
    }
}
