package dev.registrar.catalog;

import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.WeeklyTimes;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Position;
import dev.registrar.projection.SearchedTables;
import dev.registrar.projection.View;
import dev.registrar.projection.ViewAt;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The students of a course who are also in courses that overlap with it. No enrollment leads to that, but changed times
 * do.
 */
public final class Clashes {
    /** Maximum number of other courses of the students of a course, so that one search needs little memory. */
    static final int MOST_OTHER_COURSES = 50_000;

    private final CoursesView courses;
    private final RostersView rosters;

    Clashes(CoursesView courses, RostersView rosters) {
        this.courses = courses;
        this.rosters = rosters;
    }

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
     * @param count number of all students who clash
     * @param next the position after which the next page begins; empty on the last page
     */
    public record Page(long count, List<Clash> students, Optional<Position> next) {
        static final Page EMPTY = new Page(0, List.of(), Optional.empty());
    }

    /**
     * A page of the students who clash. It is empty for a course without times, and for one that does not exist.
     *
     * @param after the position of the last enrollment before the page
     * @param most maximum number of students on the page
     * @throws OverloadedException if the students are in too many other courses
     */
    public ViewAt<Page> of(CourseId course, Position after, int most, Searches views) {
        ViewAt<WeeklyTimes> times = views.search(
                courses,
                tables -> CoursesView.find(tables.inOrderOfIndex(), course)
                        .map(found -> found.view().times())
                        .orElse(WeeklyTimes.NONE));
        if (times.found().isEmpty()) {
            return with(Page.EMPTY, times);
        }
        ViewAt<List<String>> others =
                views.search(rosters, tables -> RostersView.otherCourses(tables, course, MOST_OTHER_COURSES + 1));
        if (others.found().size() > MOST_OTHER_COURSES) {
            throw new OverloadedException("The students of course '%s' are in more than %s other courses"
                    .formatted(course, MOST_OTHER_COURSES));
        }
        Set<String> overlapping = views.search(
                        courses, tables -> CoursesView.overlapping(tables, times.found(), others.found()))
                .found();
        return overlapping.isEmpty()
                ? with(Page.EMPTY, others)
                : views.search(rosters, tables -> RostersView.alsoIn(tables, course, overlapping, after, most));
    }

    private static ViewAt<Page> with(Page page, ViewAt<?> read) {
        return new ViewAt<>(page, read.position(), read.incarnation(), read.isRunning());
    }
}
