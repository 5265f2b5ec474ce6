package dev.registrar.enrollment;

import dev.registrar.eventstore.Tag;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The events of the course office. */
public sealed interface EnrollmentEvent {

    /** The tags of the course and the student that the event concerns, always in the same order. */
    Set<Tag> tags();

    record CourseDefined(
            CourseId course, CourseTitle title, Capacity capacity, EnrollmentWindow window, Prerequisites prerequisites)
            implements EnrollmentEvent {

        /** A course without prerequisites. */
        public CourseDefined(CourseId course, CourseTitle title, Capacity capacity, EnrollmentWindow window) {
            this(course, title, capacity, window, Prerequisites.NONE);
        }

        @Override
        public Set<Tag> tags() {
            return inOrder(course.tag());
        }
    }

    record CourseCapacityChanged(CourseId course, Capacity capacity) implements EnrollmentEvent {
        @Override
        public Set<Tag> tags() {
            return inOrder(course.tag());
        }
    }

    /** Contains all prerequisites of the course from now on. */
    record CoursePrerequisitesChanged(CourseId course, Prerequisites prerequisites) implements EnrollmentEvent {
        @Override
        public Set<Tag> tags() {
            return inOrder(course.tag());
        }
    }

    record CourseClosed(CourseId course) implements EnrollmentEvent {
        @Override
        public Set<Tag> tags() {
            return inOrder(course.tag());
        }
    }

    record StudentRegistered(StudentId student, StudentName name, EmailAddress email) implements EnrollmentEvent {
        @Override
        public Set<Tag> tags() {
            Set<Tag> tags = new LinkedHashSet<>();
            tags.add(student.tag());
            tags.addAll(email.tags());
            return Collections.unmodifiableSet(tags);
        }
    }

    record StudentTierChanged(StudentId student, Tier tier) implements EnrollmentEvent {
        @Override
        public Set<Tag> tags() {
            return inOrder(student.tag());
        }
    }

    record StudentEnrolledInCourse(StudentId student, CourseId course) implements EnrollmentEvent {
        @Override
        public Set<Tag> tags() {
            return inOrder(course.tag(), student.tag());
        }
    }

    record StudentDroppedCourse(StudentId student, CourseId course) implements EnrollmentEvent {
        @Override
        public Set<Tag> tags() {
            return inOrder(course.tag(), student.tag());
        }
    }

    record StudentJoinedWaitingList(StudentId student, CourseId course) implements EnrollmentEvent {
        @Override
        public Set<Tag> tags() {
            return inOrder(course.tag(), student.tag());
        }
    }

    /** The student gave up the place or got a seat; in the second case the same append contains the enrollment. */
    record StudentLeftWaitingList(StudentId student, CourseId course) implements EnrollmentEvent {
        @Override
        public Set<Tag> tags() {
            return inOrder(course.tag(), student.tag());
        }
    }

    private static Set<Tag> inOrder(Tag... tags) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(List.of(tags)));
    }
}
