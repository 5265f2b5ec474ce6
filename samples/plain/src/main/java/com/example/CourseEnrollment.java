package com.example;

import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import java.util.List;
import java.util.Optional;

/**
 * Enrolls students in courses. The seats of a course and the courses of a student are limited. An enrollment that
 * breaks one of these rules is refused, with an empty result.
 */
public final class CourseEnrollment {
    static final int SEATS = 2;
    static final int MOST_COURSES = 10;

    private final EventStore store;

    public CourseEnrollment(EventStore store) {
        this.store = store;
    }

    /** The number of enrollments with a tag, which names a course or a student. */
    record Enrolled(String tag) implements Projection<Integer> {

        @Override
        public Query query() {
            return Query.of(QueryItem.types("StudentEnrolled").tagged(tag));
        }

        @Override
        public Integer initial() {
            return 0;
        }

        @Override
        public Integer apply(Integer enrollments, SequencedEvent event) {
            return enrollments + 1;
        }
    }

    public Optional<AppendResult> enroll(String student, String course) {
        Enrolled inCourse = new Enrolled("course:" + course);
        Enrolled ofStudent = new Enrolled("student:" + student);
        Projected seen = store.project(inCourse, ofStudent);
        if (seen.state(inCourse) >= SEATS || seen.state(ofStudent) >= MOST_COURSES) {
            return Optional.empty();
        }
        Event enrolled = Event.of("StudentEnrolled", "{}", inCourse.tag(), ofStudent.tag());
        return Optional.of(store.append(List.of(enrolled), seen.appendCondition()));
    }
}
