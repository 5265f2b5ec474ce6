package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import java.time.Instant;
import java.util.List;

/**
 * Ends the places on the waiting list of a closed course, where no student gets a seat any more: those at the front
 * first.
 *
 * @param most maximum number of places, each of which is an event of the append
 */
public record EndWaitingList(CourseId course, int most) implements Decision<EnrollmentEvent, EndWaitingList.Refused> {

    /** Why no place ends. */
    public enum Refused implements Refusal {
        COURSE_NOT_CLOSED,
        WAITING_LIST_EMPTY
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        return List.of(CourseFacts.of(course), WaitingListFacts.of(course));
    }

    @Override
    public Verdict<EnrollmentEvent, Refused> decide(Facts<EnrollmentEvent> facts, Instant now) {
        if (!facts.get(CourseFacts.of(course)).closed()) {
            return Verdict.refuse(Refused.COURSE_NOT_CLOSED);
        }
        List<EnrollmentEvent> ended = facts.get(WaitingListFacts.of(course)).stream()
                .limit(most)
                .<EnrollmentEvent>map(student -> new StudentLeftWaitingList(student, course))
                .toList();
        return ended.isEmpty() ? Verdict.refuse(Refused.WAITING_LIST_EMPTY) : new Verdict.Accept<>(ended);
    }
}
