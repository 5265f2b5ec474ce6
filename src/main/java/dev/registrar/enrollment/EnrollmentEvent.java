package dev.registrar.enrollment;

import dev.registrar.eventstore.Tag;
import java.util.Set;

/** What happens in the course office. */
public sealed interface EnrollmentEvent {

    /** What the event is about. */
    Set<Tag> tags();

    record CourseDefined(CourseId course, CourseTitle title, Capacity capacity, EnrollmentWindow window)
            implements EnrollmentEvent {
        @Override
        public Set<Tag> tags() {
            return Set.of(course.tag());
        }
    }

    record CourseCapacityChanged(CourseId course, Capacity capacity) implements EnrollmentEvent {
        @Override
        public Set<Tag> tags() {
            return Set.of(course.tag());
        }
    }

    record CourseClosed(CourseId course) implements EnrollmentEvent {
        @Override
        public Set<Tag> tags() {
            return Set.of(course.tag());
        }
    }

    record StudentRegistered(StudentId student, StudentName name, EmailAddress email) implements EnrollmentEvent {
        @Override
        public Set<Tag> tags() {
            return Set.of(student.tag(), email.tag());
        }
    }

    record StudentEnrolledInCourse(StudentId student, CourseId course) implements EnrollmentEvent {
        @Override
        public Set<Tag> tags() {
            return Set.of(course.tag(), student.tag());
        }
    }

    record StudentDroppedCourse(StudentId student, CourseId course) implements EnrollmentEvent {
        @Override
        public Set<Tag> tags() {
            return Set.of(course.tag(), student.tag());
        }
    }
}
