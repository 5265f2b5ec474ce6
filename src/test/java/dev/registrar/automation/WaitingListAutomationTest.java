package dev.registrar.automation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.ChangeCapacity;
import dev.registrar.enrollment.CloseCourse;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreUnavailableException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets a seat that becomes free, and that nobody is forgotten, whatever the store does meanwhile. */
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
    void who_is_at_the_limit_is_skipped_and_gets_the_next_seat_when_a_course_of_theirs_is_dropped() {
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
    void who_joins_a_line_of_those_at_their_limit_gets_the_seat_that_is_free() {
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
    void a_student_who_drops_one_course_gets_seats_in_the_order_of_joining_up_to_the_limit() {
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
    void nobody_gets_a_seat_in_a_course_that_is_closed() {
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
    void fifty_new_seats_go_to_the_first_fifty_of_two_hundred_in_their_order() {
        Semester semester = new Semester(10);
        List<StudentId> line = line(semester, 200);

        semester.seats(MATHS, 51);
        SequencedEvent grown = semester.last();
        semester.reactTo(grown);

        assertThat(promoted(semester)).isEqualTo(line.subList(0, 50));
        semester.reactTo(grown);
        semester.react(2);
        assertThat(promoted(semester)).isEqualTo(line.subList(0, 50));
    }

    /* The twenty-first append fails. */
    @Test
    void what_was_broken_off_half_way_goes_on_where_it_was() {
        Semester semester = new Semester(10);
        List<StudentId> line = line(semester, 200);
        semester.seats(MATHS, 51);
        SequencedEvent grown = semester.last();
        AtomicInteger appends = new AtomicInteger();
        semester.trouble(request -> {
            if (appends.incrementAndGet() > 20) {
                throw new StoreUnavailableException("gone");
            }
            return request;
        });

        assertThatThrownBy(() -> semester.reactTo(grown)).isInstanceOf(StoreUnavailableException.class);
        assertThat(promoted(semester)).isEqualTo(line.subList(0, 20));
        semester.calm();
        semester.reactTo(grown);

        assertThat(promoted(semester)).isEqualTo(line.subList(0, 50));
    }

    /* The twenty-first append is stored, and nobody is told; meanwhile one more drops the course. */
    @Test
    void a_promotion_whose_answer_was_lost_is_not_done_twice() {
        Semester semester = new Semester(10);
        List<StudentId> line = line(semester, 200);
        semester.seats(MATHS, 51);
        SequencedEvent grown = semester.last();
        AtomicInteger appends = new AtomicInteger();
        semester.trouble(request -> {
            if (appends.incrementAndGet() == 21) {
                semester.store().append(request);
                throw new OutcomeUnknownException("lost");
            }
            return request;
        });

        assertThatThrownBy(() -> semester.reactTo(grown)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(promoted(semester)).isEqualTo(line.subList(0, 21));
        semester.drop(FIRST, MATHS);
        semester.reactTo(grown);
        semester.react(1);

        assertThat(promoted(semester)).isEqualTo(line.subList(0, 51));
    }

    @Test
    void more_than_one_event_may_promote_are_promoted_for_the_next_ones() {
        Semester semester = new Semester(10);
        List<StudentId> line = line(semester, 250);
        semester.react(1);

        semester.seats(MATHS, 231);
        semester.reactTo(semester.last());
        assertThat(promoted(semester)).isEqualTo(line.subList(0, 100));

        semester.react(1);
        assertThat(promoted(semester)).isEqualTo(line.subList(0, 230));
    }

    /*
     * A seat is free, and 64 at their limit are before one who is not: more than are looked at. Nobody is passed over on
     * what was not looked at in the same moment, so the seat stays free until something changes among them.
     */
    @ParameterizedTest
    @ValueSource(strings = {"one of them may", "one of them leaves"})
    void a_front_of_the_line_that_is_all_at_the_limit_is_passed_as_soon_as_it_changes(String change) {
        Semester semester = new Semester(1);
        CourseId maths = semester.course("maths", 1);
        CourseId music = semester.course("music", 100);
        StudentId first = semester.student("first");
        semester.enroll(first, maths);
        List<StudentId> line = semester.students(65);
        List<StudentId> atLimit = line.subList(0, 64);
        atLimit.forEach(student -> semester.enroll(student, music));
        line.forEach(student -> semester.join(student, maths));
        semester.drop(first, maths);
        semester.react(1);
        assertThat(semester.enrolledIn(maths)).containsExactly(first);

        if (change.equals("one of them may")) {
            semester.drop(atLimit.get(40), music);
            semester.react(1);
            assertThat(semester.enrolledIn(maths)).containsExactly(first, atLimit.get(40));
        } else {
            semester.leave(atLimit.get(40), maths);
            semester.react(1);
            assertThat(semester.enrolledIn(maths)).containsExactly(first, line.get(64));
        }
    }

    @Test
    void a_front_of_the_line_that_is_at_the_limit_is_skipped_while_it_can_be_looked_at() {
        Semester semester = new Semester(1);
        CourseId maths = semester.course("maths", 1);
        CourseId music = semester.course("music", 100);
        StudentId first = semester.student("first");
        semester.enroll(first, maths);
        List<StudentId> line = semester.students(65);
        line.subList(0, 63).forEach(student -> semester.enroll(student, music));
        line.forEach(student -> semester.join(student, maths));

        semester.drop(first, maths);
        semester.react(1);

        assertThat(semester.enrolledIn(maths)).containsExactly(first, line.get(63));
    }

    @Test
    void a_promotion_tells_what_caused_it() {
        Semester semester = new Semester(10);
        line(semester, 1);
        semester.seats(MATHS, 2);
        SequencedEvent grown = semester.last();

        semester.reactTo(grown);

        assertThat(semester.last().event().metadata())
                .isEqualTo("{\"correlationId\":\"%s\",\"causationId\":\"%s\"}"
                        .formatted(Semester.CORRELATION, grown.event().id()));
    }

    @Test
    void an_event_of_unknown_origin_causes_promotions_as_well() {
        Semester semester = new Semester(10);
        List<StudentId> line = line(semester, 1);
        semester.seats(MATHS, 2);
        SequencedEvent grown = semester.last();

        semester.reactTo(new SequencedEvent(
                grown.position(), grown.event().withMetadata(Event.NO_METADATA), grown.recordedAt()));

        assertThat(promoted(semester)).isEqualTo(line);
        assertThat(semester.last().event().metadata())
                .isEqualTo("{\"causationId\":\"%s\"}".formatted(grown.event().id()));
    }

    @Test
    void a_race_that_is_lost_each_time_is_told_so_that_it_is_tried_again_later() {
        Semester semester = new Semester(10);
        List<StudentId> line = line(semester, 1);
        semester.seats(MATHS, 2);
        SequencedEvent grown = semester.last();
        AtomicInteger seats = new AtomicInteger(2);
        UnaryOperator<Append> rival = request -> {
            semester.accept(new ChangeCapacity(MATHS, new Capacity(seats.incrementAndGet())));
            return request;
        };
        semester.trouble(rival);

        assertThatThrownBy(() -> semester.reactTo(grown))
                .isInstanceOf(OverloadedException.class)
                .hasMessageContaining("'maths'");
        assertThat(promoted(semester)).isEmpty();
        semester.calm();
        semester.reactTo(grown);
        assertThat(promoted(semester)).isEqualTo(line);
    }

    @Test
    void a_reaction_that_finds_no_seat_appends_nothing() {
        Semester semester = new Semester(10);
        line(semester, 2);
        long before = semester.store().count(Query.all());

        semester.react(1);

        assertThat(semester.store().count(Query.all())).isEqualTo(before);
    }

    private static final CourseId MATHS = new CourseId("maths");
    private static final StudentId FIRST = new StudentId("first");

    /** Maths has one seat, which one has, and so many wait. */
    private static List<StudentId> line(Semester semester, int length) {
        semester.course("maths", 1);
        semester.enroll(semester.student("first"), MATHS);
        List<StudentId> line = semester.students(length);
        line.forEach(student -> semester.join(student, MATHS));
        return line;
    }

    /** Those who got a seat together with leaving the line, in that order. */
    private static List<StudentId> promoted(Semester semester) {
        List<EnrollmentEvent> log = semester.log();
        return log.stream()
                .flatMap(event -> event instanceof StudentLeftWaitingList left
                                && log.contains(new StudentEnrolledInCourse(left.student(), left.course()))
                        ? Stream.of(left.student())
                        : Stream.empty())
                .toList();
    }
}
