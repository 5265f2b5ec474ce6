package dev.registrar.automation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.CoursePrerequisitesChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseTimesChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseTitleChanged;
import dev.registrar.enrollment.EnrollmentEvent.EnrollmentWindowChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEmailChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledByOverride;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentErased;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentNameChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEvent.StudentTierChanged;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.Tier;
import dev.registrar.enrollment.WeeklyTimes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A model of the rules: it enters a log event by event, and fails at an event that the rules forbid. */
final class Register {
    /** A time within each window that did not end long ago. */
    private static final Instant NOW = Instant.parse("2020-01-01T00:00:00Z");

    private final int limit;
    private final Map<CourseId, CourseState> courses = new LinkedHashMap<>();
    private final Map<StudentId, Tier> tiers = new HashMap<>();
    private int promotions;
    private int overrides;

    private static final class CourseState {
        private int seats;
        private boolean closed;
        private EnrollmentWindow window = EnrollmentWindow.ALWAYS;
        private Prerequisites prerequisites = Prerequisites.NONE;
        private WeeklyTimes times = WeeklyTimes.NONE;
        private final Set<StudentId> enrolled = new LinkedHashSet<>();
        private final List<StudentId> line = new ArrayList<>();
    }

    Register(int limit) {
        this.limit = limit;
    }

    int promotions() {
        return promotions;
    }

    int overrides() {
        return overrides;
    }

    void enter(List<EnrollmentEvent> log) {
        for (int i = 0; i < log.size(); i++) {
            EnrollmentEvent next = i + 1 < log.size() ? log.get(i + 1) : log.get(i);
            switch (log.get(i)) {
                case CourseDefined defined -> {
                    CourseState state = new CourseState();
                    state.seats = defined.capacity().seats();
                    state.window = defined.window();
                    state.times = defined.times();
                    courses.put(defined.course(), state);
                }
                case CourseCapacityChanged changed -> change(changed);
                case EnrollmentWindowChanged changed -> stateOf(changed.course()).window = changed.window();
                case CourseTitleChanged changed -> {}
                case StudentNameChanged changed -> {}
                case StudentErased erased -> {}
                case StudentEmailChanged changed -> {}
                case CoursePrerequisitesChanged changed ->
                    stateOf(changed.course()).prerequisites = changed.prerequisites();
                case CourseTimesChanged changed -> stateOf(changed.course()).times = changed.times();
                case CourseClosed closed -> stateOf(closed.course()).closed = true;
                case StudentRegistered registered -> {}
                case StudentTierChanged changed -> tiers.put(changed.student(), changed.tier());
                case StudentEnrolledInCourse in -> enroll(in, next);
                case StudentEnrolledByOverride in -> enroll(in, next);
                case StudentDroppedCourse out ->
                    assertThat(stateOf(out.course()).enrolled.remove(out.student()))
                            .isTrue();
                case StudentJoinedWaitingList joined -> join(joined);
                case StudentLeftWaitingList left ->
                    assertThat(stateOf(left.course()).line.remove(left.student()))
                            .isTrue();
            }
        }
    }

    /* After overrides a course may have more students than seats, and get more seats all the same. */
    private void change(CourseCapacityChanged changed) {
        CourseState state = stateOf(changed.course());
        int seats = changed.capacity().seats();
        assertThat(seats).isGreaterThanOrEqualTo(Math.min(state.seats, state.enrolled.size()));
        state.seats = seats;
    }

    private void enroll(StudentEnrolledByOverride in, EnrollmentEvent next) {
        CourseState state = stateOf(in.course());
        assertThat(state.closed).isFalse();
        if (state.line.contains(in.student())) {
            assertThat(next).isEqualTo(new StudentLeftWaitingList(in.student(), in.course()));
        }
        assertThat(state.enrolled.add(in.student())).isTrue();
        overrides++;
    }

    private void enroll(StudentEnrolledInCourse in, EnrollmentEvent next) {
        CourseState state = stateOf(in.course());
        assertThat(state.closed).isFalse();
        assertThat(state.window.isOpenAt(NOW)).isTrue();
        assertThat(state.enrolled).hasSizeLessThan(state.seats);
        assertThat(coursesOf(in.student())).isLessThan(limitOf(in.student()));
        assertThat(isPrepared(in.student(), state)).isTrue();
        assertThat(hasTime(in.student(), state)).isTrue();
        if (state.line.contains(in.student())) {
            assertThat(next).isEqualTo(new StudentLeftWaitingList(in.student(), in.course()));
            assertThat(firstWhoMay(state)).contains(in.student());
            promotions++;
        } else {
            assertThat(state.line).isEmpty();
        }
        assertThat(state.enrolled.add(in.student())).isTrue();
    }

    private void join(StudentJoinedWaitingList joined) {
        CourseState state = stateOf(joined.course());
        assertThat(state.closed).isFalse();
        assertThat(state.window.isOpenAt(NOW)).isTrue();
        assertThat(state.enrolled.size() >= state.seats || !state.line.isEmpty())
                .isTrue();
        assertThat(state.enrolled).doesNotContain(joined.student());
        assertThat(state.line).doesNotContain(joined.student());
        assertThat(isPrepared(joined.student(), state)).isTrue();
        state.line.add(joined.student());
    }

    /** No waiting student could have a seat now, and no student waits for a closed course. */
    void assertNoStudentForgotten() {
        courses.forEach((course, state) -> {
            if (state.closed) {
                assertThat(state.line).as("line of %s", course).isEmpty();
            } else if (state.window.isOpenAt(NOW) && state.enrolled.size() < state.seats) {
                assertThat(firstWhoMay(state)).as("line of %s", course).isEmpty();
            }
        });
    }

    private Optional<StudentId> firstWhoMay(CourseState state) {
        return state.line.stream()
                .filter(student -> !state.enrolled.contains(student)
                        && isPrepared(student, state)
                        && hasTime(student, state)
                        && coursesOf(student) < limitOf(student))
                .findFirst();
    }

    private boolean isPrepared(StudentId student, CourseState state) {
        return state.prerequisites.courses().stream()
                .allMatch(prerequisite -> stateOf(prerequisite).enrolled.contains(student));
    }

    private boolean hasTime(StudentId student, CourseState state) {
        return courses.values().stream()
                .filter(other -> other.enrolled.contains(student))
                .noneMatch(other -> other.times.overlaps(state.times));
    }

    private int limitOf(StudentId student) {
        Tier tier = tiers.get(student);
        return tier == null ? limit : tier.courses();
    }

    private long coursesOf(StudentId student) {
        return courses.values().stream()
                .filter(state -> state.enrolled.contains(student))
                .count();
    }

    private CourseState stateOf(CourseId course) {
        CourseState state = courses.get(course);
        if (state == null) {
            throw new AssertionError("%s was never defined".formatted(course));
        }
        return state;
    }
}
