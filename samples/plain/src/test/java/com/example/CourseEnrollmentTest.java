package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import org.junit.jupiter.api.Test;

class CourseEnrollmentTest {
    private final EventStore store = new InMemoryEventStore();
    private final CourseEnrollment enrollment = new CourseEnrollment(store);

    @Test
    void a_full_course_takes_no_student() {
        for (int i = 0; i < CourseEnrollment.SEATS; i++) {
            assertThat(enrollment.enroll("student-" + i, "maths").orElseThrow()).isInstanceOf(Appended.class);
        }

        assertThat(enrollment.enroll("ann", "maths")).isEmpty();
    }

    @Test
    void a_student_at_the_limit_takes_no_course() {
        for (int i = 0; i < CourseEnrollment.MOST_COURSES; i++) {
            assertThat(enrollment.enroll("ann", "course-" + i).orElseThrow()).isInstanceOf(Appended.class);
        }

        assertThat(enrollment.enroll("ann", "maths")).isEmpty();
    }

    /*
     * Ann and Bob both see one free seat. Bob's enrollment is stored between Ann's read and Ann's append. Without the
     * append condition the course would have one student too many.
     */
    @Test
    void the_last_seat_is_taken_once() {
        enrollment.enroll("cid", "maths");

        assertThat(whileReading(() -> enrollment.enroll("bob", "maths"))
                        .enroll("ann", "maths")
                        .orElseThrow())
                .isInstanceOf(Conflict.class);
        assertThat(store.count(Query.of(QueryItem.tags("course:maths")))).isEqualTo(CourseEnrollment.SEATS);
    }

    /* Ann enrolls in Maths; meanwhile Bob enrolls in Latin. */
    @Test
    void decisions_on_other_courses_and_students_do_not_conflict() {
        assertThat(whileReading(() -> enrollment.enroll("bob", "latin"))
                        .enroll("ann", "maths")
                        .orElseThrow())
                .isInstanceOf(Appended.class);
    }

    /* The same store for another decision, with something that happens between its read and its append. */
    private CourseEnrollment whileReading(Runnable meanwhile) {
        return new CourseEnrollment(InterruptedStore.of(store, meanwhile));
    }
}
