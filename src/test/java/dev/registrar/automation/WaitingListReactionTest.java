package dev.registrar.automation;

import static dev.registrar.automation.Semester.FIRST;
import static dev.registrar.automation.Semester.MATHS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.ChangeCapacity;
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
import org.junit.jupiter.api.Test;

/** One reaction to an event: what it appends, and how it continues after a failure. */
class WaitingListReactionTest {
    /* The third append fails; the first two promote 4 and 16 students. */
    @Test
    void a_reaction_that_failed_midway_continues() {
        Semester semester = new Semester(10);
        List<StudentId> line = semester.line(40);
        semester.seats(MATHS, 31);
        SequencedEvent grown = semester.last();
        AtomicInteger appends = new AtomicInteger();
        semester.beforeAppend(request -> {
            if (appends.incrementAndGet() > 2) {
                throw new StoreUnavailableException("gone");
            }
            return request;
        });

        assertThatThrownBy(() -> semester.reactTo(grown)).isInstanceOf(StoreUnavailableException.class);
        assertThat(semester.promoted()).isEqualTo(line.subList(0, 20));
        semester.appendUndisturbed();
        semester.reactTo(grown);

        assertThat(semester.promoted()).isEqualTo(line.subList(0, 30));
    }

    /* The third append is stored but its answer is lost. Then another student drops the course. */
    @Test
    void a_promotion_whose_answer_was_lost_is_not_repeated() {
        Semester semester = new Semester(10);
        List<StudentId> line = semester.line(40);
        semester.seats(MATHS, 31);
        SequencedEvent grown = semester.last();
        AtomicInteger appends = new AtomicInteger();
        semester.beforeAppend(request -> {
            if (appends.incrementAndGet() == 3) {
                semester.store().append(request);
                throw new OutcomeUnknownException("lost");
            }
            return request;
        });

        assertThatThrownBy(() -> semester.reactTo(grown)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(semester.promoted()).isEqualTo(line.subList(0, 30));
        semester.drop(FIRST, MATHS);
        semester.reactTo(grown);
        semester.react(1);

        assertThat(semester.promoted()).isEqualTo(line.subList(0, 31));
    }

    @Test
    void promotions_beyond_the_bound_of_one_event_follow_with_the_next_event() {
        Semester semester = new Semester(10);
        List<StudentId> line = semester.line(120);
        semester.react(1);

        semester.seats(MATHS, 111);
        semester.reactTo(semester.last());
        assertThat(semester.promoted()).isEqualTo(line.subList(0, 100));

        semester.react(1);
        assertThat(semester.promoted()).isEqualTo(line.subList(0, 110));
    }

    @Test
    void the_first_of_the_events_that_come_together_is_the_cause() {
        Semester semester = new Semester(10);
        List<StudentId> line = semester.line(5);
        semester.seats(MATHS, 2);
        SequencedEvent first = semester.last();
        semester.seats(MATHS, 3);
        SequencedEvent second = semester.last();

        semester.automation().react(List.of(first, second));

        assertThat(semester.promoted()).isEqualTo(line.subList(0, 2));
        assertThat(semester.last().event().metadata())
                .contains(first.event().id().toString());
    }

    @Test
    void a_promotion_names_its_cause() {
        Semester semester = new Semester(10);
        semester.line(1);
        semester.seats(MATHS, 2);
        SequencedEvent grown = semester.last();

        semester.reactTo(grown);

        assertThat(semester.last().event().metadata())
                .startsWith(
                        "{\"correlationId\":\"%s\",\"causationId\":\"%s\",\"commandType\":\"PromoteFromWaitingList\","
                                .formatted(Semester.CORRELATION, grown.event().id()));
    }

    @Test
    void an_event_of_unknown_origin_also_causes_promotions() {
        Semester semester = new Semester(10);
        List<StudentId> line = semester.line(1);
        semester.seats(MATHS, 2);
        SequencedEvent grown = semester.last();

        semester.reactTo(new SequencedEvent(
                grown.position(), grown.event().withMetadata(Event.NO_METADATA), grown.recordedAt()));

        assertThat(semester.promoted()).isEqualTo(line);
        assertThat(semester.last().event().metadata())
                .startsWith("{\"causationId\":\"%s\",\"commandType\":"
                        .formatted(grown.event().id()));
    }

    @Test
    void a_promotion_that_conflicts_each_time_fails_so_that_it_is_retried() {
        Semester semester = new Semester(10);
        List<StudentId> line = semester.line(1);
        semester.seats(MATHS, 2);
        SequencedEvent grown = semester.last();
        AtomicInteger seats = new AtomicInteger(2);
        UnaryOperator<Append> rival = request -> {
            semester.accept(new ChangeCapacity(MATHS, new Capacity(seats.incrementAndGet())));
            return request;
        };
        semester.beforeAppend(rival);

        assertThatThrownBy(() -> semester.reactTo(grown))
                .isInstanceOf(OverloadedException.class)
                .hasMessageContaining("'maths'");
        assertThat(semester.promoted()).isEmpty();
        semester.appendUndisturbed();
        semester.reactTo(grown);
        assertThat(semester.promoted()).isEqualTo(line);
    }

    @Test
    void a_reaction_that_finds_no_seat_appends_nothing() {
        Semester semester = new Semester(10);
        semester.line(2);
        long before = semester.store().count(Query.all());

        semester.react(1);

        assertThat(semester.store().count(Query.all())).isEqualTo(before);
    }
}
