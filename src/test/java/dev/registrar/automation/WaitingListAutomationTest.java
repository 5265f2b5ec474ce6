package dev.registrar.automation;

import static dev.registrar.automation.Semester.FIRST;
import static dev.registrar.automation.Semester.MATHS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.enrollment.ChangeWindow;
import dev.registrar.enrollment.CloseCourse;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.Tier;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A free seat goes to the first eligible student, and no student is forgotten, even after failures. */
class WaitingListAutomationTest {
    @Test
    void a_dropped_seat_goes_to_the_first_in_line() {
        Semester semester = new Semester(10);
        CourseId maths = semester.course("maths", 1);
        List<StudentId> students = semester.students(3);
        semester.enroll(students.get(0), maths);
        semester.join(students.get(1), maths);
        semester.join(students.get(2), maths);

        semester.drop(students.get(0), maths);
        semester.react(1);

        assertThat(semester.log())
                .endsWith(
                        new StudentEnrolledInCourse(students.get(1), maths),
                        new StudentLeftWaitingList(students.get(1), maths));
    }

    @Test
    void the_events_of_a_promotion_name_the_automation() {
        Semester semester = new Semester(10);
        CourseId maths = semester.course("maths", 1);
        List<StudentId> students = semester.students(2);
        semester.enroll(students.get(0), maths);
        semester.join(students.get(1), maths);
        semester.drop(students.get(0), maths);
        Position before = semester.store().head().position();

        semester.react(1);

        assertThat(semester.store().read(Query.all(), ReadOptions.forwards().after(before)).stream()
                        .map(SequencedEvent::actor))
                .hasSize(2)
                .containsOnly(Actor.ofApplication("waiting-list"));
    }

    @Test
    void a_student_at_the_limit_is_skipped_until_one_of_their_courses_is_dropped() {
        Semester semester = new Semester(1);
        CourseId maths = semester.course("maths", 2);
        CourseId music = semester.course("music", 1);
        List<StudentId> students = semester.students(4);
        semester.enroll(students.get(0), maths);
        semester.enroll(students.get(1), maths);
        semester.enroll(students.get(2), music);
        semester.join(students.get(2), maths);
        semester.join(students.get(3), maths);

        semester.drop(students.get(0), maths);
        semester.drop(students.get(1), maths);
        semester.react(1);
        assertThat(semester.enrolledIn(maths)).last().isEqualTo(students.get(3));

        semester.drop(students.get(2), music);
        semester.react(1);
        assertThat(semester.enrolledIn(maths)).last().isEqualTo(students.get(2));
    }

    @Test
    void a_student_whose_tier_is_raised_gets_the_free_seats() {
        Semester semester = new Semester(1);
        CourseId maths = semester.course("maths", 1);
        CourseId music = semester.course("music", 1);
        CourseId latin = semester.course("latin", 1);
        CourseId greek = semester.course("greek", 1);
        List<StudentId> students = semester.students(4);
        StudentId last = students.get(3);
        semester.enroll(students.get(0), maths);
        semester.enroll(students.get(1), music);
        semester.enroll(students.get(2), latin);
        semester.enroll(last, greek);
        List.of(maths, music, latin).forEach(course -> semester.join(last, course));
        semester.drop(students.get(0), maths);
        semester.drop(students.get(1), music);
        semester.react(1);
        assertThat(semester.enrolledIn(maths)).doesNotContain(last);

        semester.tier(last, Tier.BASIC);
        semester.react(1);
        assertThat(semester.enrolledIn(maths)).contains(last);
        assertThat(semester.enrolledIn(music)).doesNotContain(last);

        semester.tier(last, Tier.MASTER);
        semester.react(1);
        assertThat(semester.enrolledIn(music)).contains(last);
        assertThat(semester.enrolledIn(latin)).doesNotContain(last);
    }

    /* The seat is dropped while the enrollment is over, so no student gets it then. */
    @Test
    void a_window_that_opens_again_gives_the_free_seats_to_the_list() {
        Semester semester = new Semester(10);
        List<StudentId> line = semester.line(2);
        Instant past = Instant.parse("2000-01-01T00:00:00Z");
        semester.accept(new ChangeWindow(MATHS, new EnrollmentWindow(null, past)));
        semester.drop(FIRST, MATHS);
        semester.react(1);
        assertThat(semester.enrolledIn(MATHS)).containsExactly(FIRST);

        semester.accept(new ChangeWindow(MATHS, new EnrollmentWindow(past, null)));
        semester.react(1);

        assertThat(semester.enrolledIn(MATHS)).containsExactly(FIRST, line.getFirst());
        assertThat(semester.waitingFor(MATHS)).containsExactly(line.getLast());
    }

    @Test
    void students_who_lack_a_prerequisite_lose_their_places_to_the_first_who_has_it() {
        Semester semester = new Semester(10);
        List<StudentId> line = semester.line(70);
        CourseId music = semester.course("music", 10);
        semester.require(MATHS, music);
        StudentId prepared = line.get(66);
        semester.enroll(prepared, music);

        semester.drop(FIRST, MATHS);
        semester.react(1);

        assertThat(semester.enrolledIn(MATHS)).containsExactly(FIRST, prepared);
        assertThat(semester.log().stream().filter(StudentLeftWaitingList.class::isInstance))
                .containsExactlyElementsOf(line.subList(0, 67).stream()
                        .map(student -> new StudentLeftWaitingList(student, MATHS))
                        .toList());
    }

    @Test
    void a_student_who_joins_behind_students_at_their_limit_gets_the_free_seat() {
        Semester semester = new Semester(1);
        CourseId maths = semester.course("maths", 1);
        CourseId music = semester.course("music", 1);
        List<StudentId> students = semester.students(3);
        semester.enroll(students.get(0), maths);
        semester.enroll(students.get(1), music);
        semester.join(students.get(1), maths);
        semester.drop(students.get(0), maths);
        semester.react(1);

        semester.join(students.get(2), maths);
        semester.react(1);

        assertThat(semester.enrolledIn(maths)).containsExactly(students.get(0), students.get(2));
    }

    @Test
    void a_student_who_drops_a_course_gets_seats_in_the_order_of_joining() {
        Semester semester = new Semester(1);
        CourseId maths = semester.course("maths", 1);
        CourseId music = semester.course("music", 1);
        CourseId latin = semester.course("latin", 1);
        List<StudentId> students = semester.students(3);
        semester.enroll(students.get(0), music);
        semester.enroll(students.get(1), latin);
        semester.enroll(students.get(2), maths);
        semester.join(students.get(2), latin);
        semester.join(students.get(2), music);
        semester.drop(students.get(0), music);
        semester.drop(students.get(1), latin);
        semester.react(1);

        semester.drop(students.get(2), maths);
        semester.react(1);

        assertThat(semester.enrolledIn(latin)).last().isEqualTo(students.get(2));
        assertThat(semester.enrolledIn(music)).doesNotContain(students.get(2));
    }

    @Test
    void a_closed_course_assigns_no_seat() {
        Semester semester = new Semester(10);
        CourseId maths = semester.course("maths", 1);
        List<StudentId> students = semester.students(2);
        semester.enroll(students.get(0), maths);
        semester.join(students.get(1), maths);
        semester.accept(new CloseCourse(maths));

        semester.drop(students.get(0), maths);
        semester.react(1);

        assertThat(semester.enrolledIn(maths)).containsExactly(students.get(0));
    }

    @Test
    void the_list_of_a_closed_course_ends_in_its_order_and_once() {
        Semester semester = new Semester(10);
        List<StudentId> line = semester.line(WaitingListAutomation.ENDED_AT_ONCE + 1);
        CourseId music = semester.course("music", 1);
        semester.enroll(Semester.FIRST, music);
        semester.join(line.getFirst(), music);

        semester.accept(new CloseCourse(MATHS));
        semester.react(2);

        assertThat(semester.waitingFor(MATHS)).isEmpty();
        assertThat(semester.left(MATHS)).isEqualTo(line);
        assertThat(semester.promoted()).isEmpty();
        assertThat(semester.waitingFor(music)).containsExactly(line.getFirst());
    }

    @Test
    void new_seats_go_to_the_first_in_line_in_order_and_once() {
        Semester semester = new Semester(10);
        List<StudentId> line = semester.line(30);

        semester.seats(MATHS, 21);
        SequencedEvent grown = semester.last();
        semester.reactTo(grown);

        assertThat(semester.promoted()).isEqualTo(line.subList(0, 20));
        semester.reactTo(grown);
        semester.react(2);
        assertThat(semester.promoted()).isEqualTo(line.subList(0, 20));
    }

    @Test
    void beyond_the_seats_a_drop_frees_none_and_a_few_more_seats_are_taken_already() {
        Semester semester = new Semester(10);
        List<StudentId> line = semester.line(3);
        semester.override(semester.student("second"), MATHS);
        semester.override(semester.student("third"), MATHS);
        semester.override(line.get(0), MATHS);
        semester.react(1);
        assertThat(semester.waitingFor(MATHS)).containsExactly(line.get(1), line.get(2));

        semester.seats(MATHS, 3);
        semester.react(1);
        semester.drop(FIRST, MATHS);
        semester.react(1);
        assertThat(semester.waitingFor(MATHS)).containsExactly(line.get(1), line.get(2));

        semester.drop(line.get(0), MATHS);
        semester.react(1);
        assertThat(semester.waitingFor(MATHS)).containsExactly(line.get(2));
        semester.seats(MATHS, 4);
        semester.react(1);
        assertThat(semester.waitingFor(MATHS)).isEmpty();
        Register register = new Register(10);
        register.enter(semester.log());
        register.assertNoStudentForgotten();
    }

    @Test
    void the_first_student_behind_200_at_their_limit_gets_the_seat() {
        Semester semester = new Semester(1);
        List<StudentId> line = semester.lineAtLimit(200);
        StudentId able = semester.student("able");
        StudentId later = semester.student("later");
        semester.join(able, MATHS);
        semester.join(later, MATHS);

        semester.drop(FIRST, MATHS);
        semester.react(1);

        assertThat(semester.enrolledIn(MATHS)).containsExactly(FIRST, able);
        semester.drop(able, MATHS);
        semester.react(1);
        assertThat(semester.enrolledIn(MATHS)).containsExactly(FIRST, able, later);
        assertThat(semester.waitingFor(MATHS)).isEqualTo(line);
    }

    @Test
    void a_seat_that_200_waiting_students_cannot_take_goes_to_the_next_who_joins() {
        Semester semester = new Semester(1);
        semester.lineAtLimit(200);
        semester.drop(FIRST, MATHS);
        semester.react(1);
        assertThat(semester.enrolledIn(MATHS)).containsExactly(FIRST);

        StudentId able = semester.student("able");
        semester.join(able, MATHS);
        semester.react(1);

        assertThat(semester.enrolledIn(MATHS)).containsExactly(FIRST, able);
    }

    /*
     * The walk has examined the tenth student, who is at the limit, and now decides on students behind. Before its
     * append, the tenth student gets a higher tier. The seat goes to the student behind, without a conflict. The walk for
     * the tier finds no seat, and the next free seat goes to the tenth student.
     */
    @Test
    void a_student_who_becomes_able_behind_the_walk_is_first_for_the_next_seat() {
        Semester semester = new Semester(1);
        List<StudentId> line = semester.lineAtLimit(200);
        StudentId able = semester.student("able");
        semester.join(able, MATHS);
        AtomicInteger appends = new AtomicInteger();
        semester.beforeAppend(request -> {
            if (appends.incrementAndGet() == 1) {
                semester.tier(line.get(9), Tier.BASIC);
            }
            return request;
        });

        semester.drop(FIRST, MATHS);
        semester.react(1);
        assertThat(semester.enrolledIn(MATHS)).containsExactly(FIRST, able);
        assertThat(appends).hasValue(1);

        semester.drop(able, MATHS);
        semester.react(1);
        assertThat(semester.enrolledIn(MATHS)).containsExactly(FIRST, able, line.get(9));
    }

    /*
     * As before, but no student behind can take the seat: the last one lacks a prerequisite and loses the place, which
     * is the append before which the tenth student becomes able. The walk for the tier gives the tenth student the seat.
     */
    @Test
    void a_student_who_becomes_able_behind_the_walk_gets_the_seat_that_it_leaves_free() {
        Semester semester = new Semester(1);
        List<StudentId> line = semester.lineAtLimit(200);
        StudentId unprepared = semester.student("unprepared");
        semester.join(unprepared, MATHS);
        semester.require(MATHS, new CourseId("music"));
        AtomicInteger appends = new AtomicInteger();
        semester.beforeAppend(request -> {
            if (appends.incrementAndGet() == 1) {
                semester.tier(line.get(9), Tier.BASIC);
            }
            return request;
        });

        semester.drop(FIRST, MATHS);
        semester.react(1);

        assertThat(semester.enrolledIn(MATHS)).containsExactly(FIRST, line.get(9));
        assertThat(semester.waitingFor(MATHS)).doesNotContain(unprepared, line.get(9));
    }

    /* Other clients of the store may append the enrollment of a student who waits. */
    @Test
    void an_enrolled_student_on_the_list_keeps_no_seat_from_others() {
        Semester semester = new Semester(10);
        List<StudentId> line = semester.line(1);
        semester.append(new StudentEnrolledInCourse(line.get(0), MATHS));

        semester.seats(MATHS, 3);
        semester.react(1);

        assertThat(semester.waitingFor(MATHS)).isEmpty();
        semester.enroll(semester.student("other"), MATHS);
    }
}
