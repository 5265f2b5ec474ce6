package dev.registrar.catalog;

import dev.registrar.catalog.RostersView.Companion;
import dev.registrar.catalog.RostersView.Enrollment;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.WeeklyTimes;
import dev.registrar.eventstore.Position;
import dev.registrar.projection.SearchedTables;
import dev.registrar.projection.View;
import dev.registrar.projection.ViewAt;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The students of a course who are also in courses that overlap with it. No enrollment leads to that, except by
 * override, but changed times do.
 *
 * <p>A search walks along the roster, {@value #STUDENTS_AT_ONCE} students at a time, and reads the times of each other
 * course once. It ends before its next step if it has taken 3 seconds, or has read the times of
 * {@value #MOST_OTHER_COURSES} other courses; its page then has what it has found, and says that it is cut.
 */
public final class Clashes {
    static final int STUDENTS_AT_ONCE = 2_000;
    static final int MOST_OTHER_COURSES = 50_000;
    static final int MOST_OF_STUDENT = 100;

    static final Bounds BOUNDS = new Bounds(STUDENTS_AT_ONCE, MOST_OTHER_COURSES, Duration.ofSeconds(3));

    private final CoursesView courses;
    private final RostersView rosters;
    private final Bounds bounds;
    private final InstantSource clock;

    Clashes(CoursesView courses, RostersView rosters, Bounds bounds, InstantSource clock) {
        this.courses = courses;
        this.rosters = rosters;
        this.bounds = bounds;
        this.clock = clock;
    }

    /** The bounds of one search, of which all but the first are compared after each step. */
    record Bounds(int studentsAtOnce, int otherCourses, Duration longest) {}

    /** How the caller searches views. */
    @FunctionalInterface
    public interface Searches {
        <T> ViewAt<T> search(View view, Function<SearchedTables, T> query);
    }

    /**
     * A student of the course.
     *
     * @param courses the ids of the student's courses that overlap with it, sorted
     */
    public record Clash(String studentId, List<String> courses) {}

    /**
     * A page of the students, in the order of their enrollment in the course.
     *
     * @param count number of all students who clash; of those that were found, if the search was cut
     * @param next the position after which the next page begins; empty on the last page
     * @param isCut whether the search ended at a bound, so that further students may clash
     */
    public record Page(long count, List<Clash> students, Optional<Position> next, boolean isCut) {}

    /**
     * A page of the students who clash. It is empty for a course without times, and for one that does not exist.
     *
     * @param after the position of the last enrollment before the page
     * @param most maximum number of students on the page
     * @return at the smallest of the positions that the views had when they were read
     */
    public ViewAt<Page> of(CourseId course, Position after, int most, Searches views) {
        return new Walk(course, after, most, views).page();
    }

    /**
     * The ids of the courses that overlap with a course, by the ids of those students among some who are in both.
     *
     * @param students those of a page, at most
     */
    public Map<String, List<String>> of(CourseId course, Collection<String> students, Searches views) {
        if (students.isEmpty()) {
            return Map.of();
        }
        List<Companion> inCourse = views.search(
                        rosters, tables -> RostersView.companions(tables.inOrderOfIndex(), course, students))
                .found();
        Set<String> ids = inCourse.stream()
                .flatMap(student -> student.courses().stream())
                .collect(Collectors.toCollection(HashSet::new));
        ids.add(course.value());
        SortedMap<String, WeeklyTimes> times = times(ids, views);
        Map<String, List<String>> found = new HashMap<>();
        inCourse.forEach(student -> {
            List<String> clashing = student.courses().stream()
                    .filter(other -> overlap(times, course.value(), other))
                    .toList();
            if (!clashing.isEmpty()) {
                found.put(student.studentId(), clashing);
            }
        });
        return found;
    }

    /** The ids of the courses that overlap, by each of them, among the first {@value #MOST_OF_STUDENT} of a student. */
    public Map<String, List<String>> ofStudent(StudentId student, Searches views) {
        List<String> ids = views
                .search(
                        rosters,
                        tables -> RostersView.ofStudent(
                                tables.inOrderOfIndex(), student, Position.START, MOST_OF_STUDENT))
                .found()
                .enrollments()
                .stream()
                .map(Enrollment::courseId)
                .toList();
        SortedMap<String, WeeklyTimes> times = times(ids, views);
        Map<String, List<String>> found = new HashMap<>();
        times.keySet().forEach(one -> {
            List<String> clashing = times.keySet().stream()
                    .filter(other -> !other.equals(one) && overlap(times, one, other))
                    .toList();
            if (!clashing.isEmpty()) {
                found.put(one, clashing);
            }
        });
        return found;
    }

    private SortedMap<String, WeeklyTimes> times(Collection<String> ids, Searches views) {
        return views.search(courses, tables -> CoursesView.times(tables.inOrderOfIndex(), ids))
                .found();
    }

    private static boolean overlap(Map<String, WeeklyTimes> times, String one, String other) {
        return times.getOrDefault(one, WeeklyTimes.NONE).overlaps(times.getOrDefault(other, WeeklyTimes.NONE));
    }

    /** One search. */
    private final class Walk {
        private final CourseId course;
        private final Position after;
        private final int most;
        private final Searches views;

        private final Instant end = clock.instant().plus(bounds.longest());
        private final Set<String> compared = new HashSet<>();
        private final Set<String> overlapping = new HashSet<>();
        private final List<Clash> found = new ArrayList<>();
        private Position last = Position.START;
        private long count;
        private boolean hasNext;
        private boolean isRunning = true;
        private @Nullable ViewAt<?> earliest;

        Walk(CourseId course, Position after, int most, Searches views) {
            this.course = course;
            this.after = after;
            this.most = most;
            this.views = views;
        }

        ViewAt<Page> page() {
            WeeklyTimes times = read(
                    courses,
                    tables -> CoursesView.find(tables.inOrderOfIndex(), course)
                            .map(it -> it.view().times())
                            .orElse(WeeklyTimes.NONE));
            boolean isCut = !times.isEmpty() && !reachesEnd(times);
            return at(new Page(count, List.copyOf(found), hasNext ? Optional.of(last) : Optional.empty(), isCut));
        }

        /* False if a bound ended it before. */
        private boolean reachesEnd(WeeklyTimes times) {
            Position from = Position.START;
            while (true) {
                Position begin = from;
                List<Companion> students =
                        read(rosters, tables -> RostersView.companions(tables, course, begin, bounds.studentsAtOnce()));
                compare(times, students);
                students.forEach(this::add);
                if (students.size() < bounds.studentsAtOnce()) {
                    return true;
                }
                if (compared.size() >= bounds.otherCourses() || !clock.instant().isBefore(end)) {
                    return false;
                }
                from = students.getLast().position();
            }
        }

        private void compare(WeeklyTimes times, List<Companion> students) {
            List<String> others = students.stream()
                    .flatMap(student -> student.courses().stream())
                    .filter(compared::add)
                    .toList();
            if (!others.isEmpty()) {
                overlapping.addAll(read(courses, tables -> CoursesView.overlapping(tables, times, others)));
            }
        }

        private void add(Companion student) {
            List<String> clashing =
                    student.courses().stream().filter(overlapping::contains).toList();
            if (clashing.isEmpty()) {
                return;
            }
            count++;
            if (student.position().isAfter(after)) {
                if (found.size() < most) {
                    found.add(new Clash(student.studentId(), clashing));
                    last = student.position();
                } else {
                    hasNext = true;
                }
            }
        }

        private <T> T read(View view, Function<SearchedTables, T> query) {
            ViewAt<T> read = views.search(view, query);
            isRunning &= read.isRunning();
            if (earliest == null || earliest.position().isAfter(read.position())) {
                earliest = read;
            }
            return read.found();
        }

        private ViewAt<Page> at(Page page) {
            if (earliest == null) {
                throw new IllegalStateException("No view was read");
            }
            return new ViewAt<>(page, earliest.position(), earliest.incarnation(), isRunning);
        }
    }
}
