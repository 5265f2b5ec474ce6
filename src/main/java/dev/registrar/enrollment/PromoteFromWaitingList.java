package dev.registrar.enrollment;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives one free seat of a course to the first in line who may take it. Who is at the limit, or in the course already,
 * may not, and keeps the place in line. Nobody who may take the seat is passed over: whoever was before the one who
 * gets it was looked at, in the same decision.
 *
 * @param first those at the front of the line as far as the caller knows, {@value #MOST_LOOKED_AT} at most: no others
 *     are looked at, and where they stand is found out from the facts
 * @param limit the most courses that a student may be enrolled in at a time
 */
public record PromoteFromWaitingList(CourseId course, List<StudentId> first, int limit)
        implements Decision<EnrollmentEvent, PromoteFromWaitingList.Refused> {
    /** How many students are looked at: each takes one of the 100 items in the conditions of an append. */
    public static final int MOST_LOOKED_AT = 64;

    /** Why nobody gets a seat. */
    public enum Refused implements Refusal {
        COURSE_UNKNOWN,
        COURSE_CLOSED,
        OUTSIDE_ENROLLMENT_WINDOW,
        COURSE_FULL,
        NOBODY_TO_PROMOTE,
        /** None of those that were looked at before the first other one may take the seat. */
        LINE_IS_LONGER
    }

    public PromoteFromWaitingList {
        first = List.copyOf(first);
        if (first.size() > MOST_LOOKED_AT) {
            throw new IllegalArgumentException("At most %d students in line are looked at but there were %d"
                    .formatted(MOST_LOOKED_AT, first.size()));
        }
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        List<Fact<EnrollmentEvent, ?>> facts = new ArrayList<>(2 + first.size());
        facts.add(CourseFacts.of(course));
        facts.add(WaitingListFacts.of(course));
        first.forEach(student -> facts.add(StudentFacts.of(student)));
        return facts;
    }

    @Override
    public Verdict<EnrollmentEvent, Refused> decide(Facts<EnrollmentEvent> facts, Instant now) {
        CourseFacts.State seats = facts.get(CourseFacts.of(course));
        if (!seats.defined()) {
            return Verdict.refuse(Refused.COURSE_UNKNOWN);
        }
        if (seats.closed()) {
            return Verdict.refuse(Refused.COURSE_CLOSED);
        }
        if (!seats.window().isOpenAt(now)) {
            return Verdict.refuse(Refused.OUTSIDE_ENROLLMENT_WINDOW);
        }
        if (seats.full()) {
            return Verdict.refuse(Refused.COURSE_FULL);
        }
        for (StudentId next : facts.get(WaitingListFacts.of(course))) {
            if (!first.contains(next)) {
                return Verdict.refuse(Refused.LINE_IS_LONGER);
            }
            if (mayTakeSeat(facts.get(StudentFacts.of(next)))) {
                return new Verdict.Accept<>(
                        List.of(new StudentEnrolledInCourse(next, course), new StudentLeftWaitingList(next, course)));
            }
        }
        return Verdict.refuse(Refused.NOBODY_TO_PROMOTE);
    }

    private boolean mayTakeSeat(StudentFacts.State who) {
        return !who.isEnrolledIn(course) && who.courses().size() < limit;
    }
}
