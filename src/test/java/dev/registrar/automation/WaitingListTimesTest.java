package dev.registrar.automation;

import static dev.registrar.automation.Semester.FIRST;
import static dev.registrar.automation.Semester.MATHS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.OverloadedException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Weekly times decide who gets a free seat, and a change of them may give one. */
class WaitingListTimesTest {
    private static final String MONDAY = "Mon 10:00-12:00";

    /** Maths with weekly times and a line of students who are all in music at that time, so that none gets the seat. */
    private static Semester clashing(int length) {
        Semester semester = new Semester(100);
        List<StudentId> line = semester.line(length);
        CourseId music = semester.course("music", length);
        line.forEach(student -> semester.enroll(student, music));
        semester.times(music, MONDAY);
        semester.times(MATHS, MONDAY);
        semester.drop(FIRST, MATHS);
        semester.react(1);
        assertThat(semester.enrolledIn(MATHS)).containsExactly(FIRST);
        return semester;
    }

    @ParameterizedTest
    @CsvSource({"maths,''", "maths,Tue 10:00-12:00", "music,''", "music,Mon 12:00-13:00"})
    void changed_times_of_either_course_give_the_free_seat_to_the_first(String course, String times) {
        Semester semester = clashing(3);

        semester.times(new CourseId(course), times);
        semester.react(1);

        assertThat(semester.enrolledIn(MATHS)).containsExactly(FIRST, new StudentId("student-0"));
        assertThat(semester.waitingFor(MATHS)).containsExactly(new StudentId("student-1"), new StudentId("student-2"));
    }

    /* More students than one read for the changed course has. */
    @Test
    void a_drop_gives_the_seat_to_the_only_student_who_then_has_time() {
        Semester semester = clashing(70);
        StudentId free = new StudentId("student-66");

        semester.drop(free, new CourseId("music"));
        semester.react(1);

        assertThat(semester.enrolledIn(MATHS)).containsExactly(FIRST, free);
        assertThat(semester.waitingFor(MATHS)).hasSize(69);
    }

    @Test
    void changed_times_reach_each_student_of_a_course_beyond_one_read() {
        Semester semester = new Semester(100);
        List<StudentId> line = semester.line(70);
        CourseId music = semester.course("music", 70);
        line.reversed().forEach(student -> semester.enroll(student, music));
        CourseId latin = semester.course("latin", 1);
        StudentId last = line.getFirst();
        semester.enroll(FIRST, latin);
        semester.join(last, latin);
        semester.times(music, MONDAY);
        semester.times(latin, MONDAY);
        semester.drop(FIRST, latin);
        semester.react(1);
        assertThat(semester.enrolledIn(latin)).containsExactly(FIRST);

        semester.times(music, "");
        semester.react(1);

        assertThat(semester.enrolledIn(latin)).containsExactly(FIRST, last);
    }

    /* So many courses that one append cannot guard those of several students. */
    @Test
    void students_with_many_courses_are_compared_one_after_another() {
        Semester semester = new Semester(100);
        List<StudentId> line = semester.line(3);
        for (int i = 0; i < 63; i++) {
            for (StudentId student : line) {
                semester.enroll(student, semester.course("%s-of-%s".formatted(i, student), 1));
            }
        }
        line.subList(0, 2).forEach(student -> semester.times(new CourseId("62-of-" + student), MONDAY));
        semester.times(MATHS, MONDAY);

        semester.drop(FIRST, MATHS);
        semester.react(1);

        assertThat(semester.enrolledIn(MATHS)).containsExactly(FIRST, line.getLast());
    }

    /* A student with more courses than are compared keeps the place, and the next one gets the seat. */
    @Test
    void a_student_with_too_many_courses_to_compare_is_skipped() {
        Semester semester = new Semester(100);
        List<StudentId> line = semester.line(2);
        for (int i = 0; i < 65; i++) {
            semester.enroll(line.getFirst(), semester.course("course-" + i, 1));
        }
        semester.times(MATHS, MONDAY);

        semester.drop(FIRST, MATHS);
        semester.react(1);

        assertThat(semester.enrolledIn(MATHS)).containsExactly(FIRST, line.getLast());
        assertThat(semester.waitingFor(MATHS)).containsExactly(line.getFirst());
    }

    /*
     * The automation has read that the student has no other course, and the promotion is accepted. Before its append the
     * student is enrolled in a course at the same time. The append fails, and the walk reads the courses again.
     */
    @Test
    void an_enrollment_before_the_append_of_a_promotion_counts() {
        Semester semester = new Semester(100);
        StudentId only = enrolledBeforePromotion(semester);

        semester.reactTogether();

        assertThat(semester.enrolledIn(MATHS)).containsExactly(FIRST);
        assertThat(semester.waitingFor(MATHS)).containsExactly(only);
    }

    /* The same without the append's condition: the student is in both, so the test above can fail. */
    @Test
    void without_the_condition_the_promoted_student_would_clash() {
        Semester semester = new Semester(100);
        StudentId only = enrolledBeforePromotion(semester);
        unguarded(semester);

        semester.reactTogether();

        assertThat(semester.enrolledIn(MATHS)).containsExactly(FIRST, only);
    }

    private static StudentId enrolledBeforePromotion(Semester semester) {
        StudentId only = semester.line(1).getFirst();
        CourseId music = semester.course("music", 9);
        semester.times(music, MONDAY);
        semester.times(MATHS, MONDAY);
        semester.drop(FIRST, MATHS);
        semester.beforeAppend(request -> {
            semester.appendUndisturbed();
            semester.enroll(only, music);
            return request;
        });
        return only;
    }

    private static void unguarded(Semester semester) {
        CourseId music = new CourseId("music");
        semester.beforeAppend(request -> {
            semester.appendUndisturbed();
            semester.enroll(new StudentId("student-0"), music);
            return Append.of(request.events());
        });
    }

    /* Each time before the promotion's append, the student changes to a further course without times. */
    @Test
    void a_student_whose_courses_change_all_the_time_ends_the_walk() {
        Semester semester = new Semester(1_000);
        StudentId only = semester.line(1).getFirst();
        semester.enroll(only, semester.course("music", 9));
        semester.times(MATHS, MONDAY);
        semester.drop(FIRST, MATHS);
        AtomicInteger changes = new AtomicInteger();
        semester.beforeAppend(request -> {
            semester.enroll(only, semester.course("further-" + changes.incrementAndGet(), 1));
            return request;
        });

        assertThatThrownBy(semester::reactTogether)
                .isInstanceOf(OverloadedException.class)
                .hasMessage("The courses of students who wait for 'maths' change too often");

        semester.appendUndisturbed();
        semester.react(1);
        assertThat(semester.enrolledIn(MATHS)).containsExactly(FIRST, only);
    }
}
