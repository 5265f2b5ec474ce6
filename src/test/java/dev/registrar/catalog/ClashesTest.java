package dev.registrar.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.catalog.Clashes.Bounds;
import dev.registrar.catalog.Clashes.Clash;
import dev.registrar.catalog.Clashes.Searches;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.CourseTimesChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.WeeklyTimes;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.projection.ProjectionRunner;
import dev.registrar.projection.SearchedTables;
import dev.registrar.projection.View;
import dev.registrar.projection.ViewAt;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The search for students whose courses overlap, with the steps and bounds of a large course. */
class ClashesTest {
    private static final EnrollmentEventCodec CODEC = new EnrollmentEventCodec();
    private static final CoursesView COURSES = new CoursesView(CODEC);
    private static final RostersView ROSTERS = new RostersView(CODEC);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final CourseId MATHS = new CourseId("maths");
    private static final CourseId MUSIC = new CourseId("music");

    private final StoreDatabase database = new StoreDatabase();
    private final EventStore store = database.newStore();
    private final ProjectionRunner runner =
            ProjectionRunner.open(database.database().dataSource(), store, List.of(COURSES, ROSTERS));
    private final Counted views = new Counted();

    /** Searches the views, and counts how often it does. */
    private final class Counted implements Searches {
        private final List<View> searched = new ArrayList<>();

        @Override
        public <T> ViewAt<T> search(View view, Function<SearchedTables, T> query) {
            searched.add(view);
            return runner.views().search(view, Position.START, query);
        }
    }

    /* Seven students of maths, of whom all but the third are in music at the same time; the last are in latin, too. */
    @BeforeEach
    void seven_students() {
        append(defined(MATHS), defined(MUSIC), defined(new CourseId("latin")));
        for (int number = 1; number <= 7; number++) {
            append(new StudentEnrolledInCourse(student(number), MATHS));
            if (number != 3) {
                append(new StudentEnrolledInCourse(student(number), MUSIC));
            }
            if (number > 5) {
                append(new StudentEnrolledInCourse(student(number), new CourseId("latin")));
            }
        }
        append(new CourseTimesChanged(MATHS, WeeklyTimes.of("Mon 10:00-12:00")));
        append(new CourseTimesChanged(MUSIC, WeeklyTimes.of("Mon 11:00-13:00")));
        runner.catchUp();
    }

    @AfterEach
    void close() {
        runner.close();
        database.close();
    }

    private void append(EnrollmentEvent... events) {
        store.append(List.of(events).stream()
                .map(event -> CODEC.encode(event).event())
                .toList());
    }

    private static CourseDefined defined(CourseId course) {
        return new CourseDefined(course, new CourseTitle("T"), new Capacity(9), EnrollmentWindow.ALWAYS);
    }

    private static StudentId student(int number) {
        return new StudentId("s" + number);
    }

    private ViewAt<Clashes.Page> search(Bounds bounds, Position after, int most) {
        return new Clashes(COURSES, ROSTERS, bounds, InstantSource.system()).of(MATHS, after, most, views);
    }

    @Test
    void a_search_walks_along_the_roster_and_reads_each_other_course_once() {
        Bounds three = new Bounds(3, 100, LONG);

        ViewAt<Clashes.Page> first = search(three, Position.START, 4);

        assertThat(first.found().count()).isEqualTo(6);
        assertThat(first.found().isCut()).isFalse();
        assertThat(first.found().students()).extracting(Clash::studentId).containsExactly("s1", "s2", "s4", "s5");
        assertThat(first.found().students()).allMatch(each -> each.courses().equals(List.of("music")));
        // The times of maths, then of music in the first step and of latin in the second; the third step has no other.
        assertThat(views.searched).containsExactly(COURSES, ROSTERS, COURSES, ROSTERS, COURSES, ROSTERS);

        Clashes.Page next = search(three, first.found().next().orElseThrow(), 4).found();
        assertThat(next.count()).isEqualTo(6);
        assertThat(next.students()).extracting(Clash::studentId).containsExactly("s6", "s7");
        assertThat(next.next()).isEmpty();
    }

    @Test
    void a_search_that_takes_too_long_has_made_progress_and_says_that_it_is_cut() {
        Clashes.Page cut =
                search(new Bounds(2, 100, Duration.ZERO), Position.START, 10).found();

        assertThat(cut.isCut()).isTrue();
        assertThat(cut.count()).isEqualTo(2);
        assertThat(cut.students()).extracting(Clash::studentId).containsExactly("s1", "s2");
    }

    @Test
    void a_search_among_too_many_other_courses_says_that_it_is_cut() {
        Clashes.Page cut = search(new Bounds(3, 1, LONG), Position.START, 10).found();
        Clashes.Page whole = search(new Bounds(8, 1, LONG), Position.START, 10).found();

        assertThat(cut.isCut()).isTrue();
        assertThat(cut.students()).extracting(Clash::studentId).containsExactly("s1", "s2");
        assertThat(whole.isCut()).isFalse();
        assertThat(whole.count()).isEqualTo(6);
    }

    /* The views follow the log at their own speed: here the courses have an event that the rosters have not. */
    @Test
    void the_answer_has_the_smallest_position_of_its_reads() {
        append(new StudentEnrolledInCourse(new StudentId("late"), MATHS));
        runner.processNext(COURSES.name());

        Position rosters = runner.views()
                .search(ROSTERS, Position.START, tables -> RostersView.numbers(tables, List.of("s1")))
                .position();
        ViewAt<Clashes.Page> found = search(Clashes.BOUNDS, Position.START, 10);

        assertThat(found.position()).isEqualTo(rosters);
        assertThat(runner.views()
                        .search(COURSES, Position.START, CoursesView::hasCourses)
                        .position())
                .isGreaterThan(rosters);
    }
}
