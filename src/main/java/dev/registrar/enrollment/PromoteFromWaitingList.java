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
import org.pcollections.HashTreePSet;
import org.pcollections.PSet;

/**
 * Gives the free seats of a course to the first students on the waiting list who may take them. A student who is at the
 * limit of enrollments, or whose other courses clash with the course, may not take one and keeps the place. A student
 * who is already enrolled in the course, or no longer enrolled in the prerequisites, loses the place.
 *
 * <p>A long list takes several decisions. Each examines some candidates, and passes over only the students before them
 * whom an earlier decision has examined.
 *
 * @param passedOver the students whom an earlier decision has examined
 * @param candidates the first other students on the list as known to the caller, at most {@value #MAX_CANDIDATES}; only
 *     they are examined, in the list's order according to the facts
 * @param limit maximum number of courses of a student without a tier
 * @param others the courses of the candidates, if the course has weekly times
 */
public record PromoteFromWaitingList(
        CourseId course, PSet<StudentId> passedOver, List<StudentId> candidates, int limit, OtherTimes others)
        implements Decision<EnrollmentEvent, PromoteFromWaitingList.Refused> {
    /** Each candidate takes one of the 100 items in the conditions of an append. */
    public static final int MAX_CANDIDATES = 64;

    /** Why no student gets a seat. */
    public enum Refused implements Refusal {
        COURSE_UNKNOWN,
        COURSE_CLOSED,
        OUTSIDE_ENROLLMENT_WINDOW,
        COURSE_FULL,
        NOBODY_TO_PROMOTE,
        /** The caller does not know the courses of a candidate, and must read them again. */
        OTHER_COURSES_CHANGED,
        /** No candidate may take the seat, and the list has a student who was not examined. */
        LINE_IS_LONGER;

        @Override
        public boolean isOutdated() {
            return this == OTHER_COURSES_CHANGED;
        }
    }

    public PromoteFromWaitingList {
        candidates = List.copyOf(candidates);
        if (candidates.size() > MAX_CANDIDATES) {
            throw new IllegalArgumentException(
                    "Too many candidates for a seat: %s (limit %s)".formatted(candidates.size(), MAX_CANDIDATES));
        }
    }

    /** The decision on the first students of the list. */
    public PromoteFromWaitingList(CourseId course, List<StudentId> candidates, int limit) {
        this(course, HashTreePSet.empty(), candidates, limit, OtherTimes.UNREAD);
    }

    @Override
    public List<? extends Fact<EnrollmentEvent, ?>> facts() {
        List<Fact<EnrollmentEvent, ?>> facts = new ArrayList<>(2 + candidates.size());
        facts.add(CourseFacts.of(course));
        facts.add(WaitingListFacts.of(course));
        candidates.forEach(student -> facts.add(StudentFacts.of(student)));
        others.facts().forEach(facts::add);
        return facts;
    }

    @Override
    public Verdict<EnrollmentEvent, Refused> decide(Facts<EnrollmentEvent> facts, Instant now) {
        CourseFacts.State courseState = facts.get(CourseFacts.of(course));
        if (!courseState.defined()) {
            return Verdict.refuse(Refused.COURSE_UNKNOWN);
        }
        if (courseState.closed()) {
            return Verdict.refuse(Refused.COURSE_CLOSED);
        }
        if (!courseState.window().isOpenAt(now)) {
            return Verdict.refuse(Refused.OUTSIDE_ENROLLMENT_WINDOW);
        }
        if (courseState.full()) {
            return Verdict.refuse(Refused.COURSE_FULL);
        }
        int free = courseState.seats() - courseState.enrolled();
        List<EnrollmentEvent> events = new ArrayList<>();
        for (StudentId next : facts.get(WaitingListFacts.of(course))) {
            if (passedOver.contains(next)) {
                continue;
            }
            if (!candidates.contains(next)) {
                return events.isEmpty() ? Verdict.refuse(Refused.LINE_IS_LONGER) : new Verdict.Accept<>(events);
            }
            StudentFacts.State studentState = facts.get(StudentFacts.of(next));
            if (losesPlace(studentState, courseState)) {
                events.add(new StudentLeftWaitingList(next, course));
            } else if (!studentState.isAtLimit(limit)) {
                if (!courseState.times().isEmpty() && studentState.courses().size() > OtherTimes.MAX) {
                    continue;
                }
                if (!courseState.times().isEmpty() && !others.areRead(studentState.courses())) {
                    return events.isEmpty()
                            ? Verdict.refuse(Refused.OTHER_COURSES_CHANGED)
                            : new Verdict.Accept<>(events);
                }
                if (!others.clashing(courseState.times(), studentState.courses(), facts)
                        .isEmpty()) {
                    continue;
                }
                events.add(new StudentEnrolledInCourse(next, course));
                events.add(new StudentLeftWaitingList(next, course));
                free--;
                if (free == 0) {
                    return new Verdict.Accept<>(events);
                }
            }
        }
        return events.isEmpty() ? Verdict.refuse(Refused.NOBODY_TO_PROMOTE) : new Verdict.Accept<>(events);
    }

    private boolean losesPlace(StudentFacts.State studentState, CourseFacts.State courseState) {
        return studentState.isEnrolledIn(course)
                || !courseState.prerequisites().missing(studentState.courses()).isEmpty();
    }
}
