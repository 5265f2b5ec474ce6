package dev.registrar.enrollment;

import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.enrollment.WeeklyTimes.Meeting;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The weekly times of the other courses of a student, as far as a decision names these courses.
 *
 * @param courses at most {@value #MAX}
 */
public record OtherTimes(Set<CourseId> courses) {
    /*
     * A decision knows a student's courses only once it has read the student, and an enrollment in a course without times
     * must read no more than that. So a decision first names no course. If it turns out to need their times, it is
     * refused as outdated, and repeated with the courses that it found. The times of these courses then guard its
     * append, as the student does: a change of the times of one of them makes the append conflict, and so does an
     * enrollment of the student in a course that the decision does not name.
     */

    /** Each course takes one of the 100 items in the conditions of an append. */
    public static final int MAX = 64;

    public static final OtherTimes UNREAD = new OtherTimes(Set.of());

    public OtherTimes {
        courses = Set.copyOf(courses);
        if (courses.size() > MAX) {
            throw new IllegalArgumentException(
                    "Too many courses to compare times with: %s (limit %s)".formatted(courses.size(), MAX));
        }
    }

    Stream<Fact<EnrollmentEvent, ?>> facts() {
        return courses.stream().map(TimesFacts::of);
    }

    boolean areRead(Set<CourseId> enrolledIn) {
        return courses.containsAll(enrolledIn);
    }

    /** The courses that clash with a course, sorted by id. */
    List<CourseId> clashing(WeeklyTimes wanted, Set<CourseId> enrolledIn, Facts<EnrollmentEvent> facts) {
        return wanted.isEmpty()
                ? List.of()
                : enrolledIn.stream()
                        .filter(other -> wanted.overlaps(times(other, facts)))
                        .sorted(Comparator.comparing(CourseId::value))
                        .toList();
    }

    /** A clash as a phrase, such as {@code Mon 10:00-12:00 with course music (Mon 11:00-13:00)}. */
    String described(WeeklyTimes wanted, CourseId other, Facts<EnrollmentEvent> facts) {
        WeeklyTimes times = times(other, facts);
        Meeting mine = wanted.clashWith(times).orElseThrow();
        Meeting theirs = times.clashWith(new WeeklyTimes(List.of(mine))).orElseThrow();
        return "%s with course %s (%s)".formatted(mine, other, theirs);
    }

    private static WeeklyTimes times(CourseId course, Facts<EnrollmentEvent> facts) {
        return facts.get(TimesFacts.of(course)).times();
    }
}
