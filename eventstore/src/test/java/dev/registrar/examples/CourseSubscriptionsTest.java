package dev.registrar.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The first of the published examples: a course has a number of seats and a student at most five courses. The rules of
 * the course office ({@code dev.registrar.enrollment}) are the same on a larger scale, with ten courses or a tier.
 *
 * @see <a href="https://dcb.events/examples/course-subscriptions/">the published example and its cases</a>
 */
@OnEveryStore
class CourseSubscriptionsTest {
    private final ExampleStore example;
    private final Courses courses;

    CourseSubscriptionsTest(ExampleStore example) {
        this.example = example;
        this.courses = new Courses(example.emptied());
    }

    record CourseDefined(String courseId, int capacity) {}

    record CourseCapacityChanged(String courseId, int newCapacity) {}

    record StudentSubscribedToCourse(String studentId, String courseId) {}

    /** The part of an application that subscribes students to courses. Each method returns a message. */
    static final class Courses {
        static final String DONE = "done";
        private static final int MOST_COURSES = 5;

        private final EventStore store;

        Courses(EventStore store) {
            this.store = store;
        }

        String define(String courseId, int capacity) {
            Course course = new Course(courseId);
            Projected seen = store.project(course);
            return seen.state(course).exists()
                    ? "Course with id \"%s\" already exists".formatted(courseId)
                    : append(defined(courseId, capacity), seen);
        }

        String changeCapacity(String courseId, int newCapacity) {
            Course course = new Course(courseId);
            Projected seen = store.project(course);
            if (!seen.state(course).exists()) {
                return "Course \"%s\" does not exist".formatted(courseId);
            }
            return seen.state(course).capacity() == newCapacity
                    ? "New capacity %s is the same as the current capacity".formatted(newCapacity)
                    : append(capacityChanged(courseId, newCapacity), seen);
        }

        String subscribe(String studentId, String courseId) {
            Course course = new Course(courseId);
            Subscriptions ofCourse = new Subscriptions(courseTag(courseId));
            Subscriptions ofStudent = new Subscriptions(studentTag(studentId));
            Subscriptions ofBoth = new Subscriptions(courseTag(courseId), studentTag(studentId));
            Projected seen = store.project(course, ofCourse, ofStudent, ofBoth);
            if (!seen.state(course).exists()) {
                return "Course \"%s\" does not exist".formatted(courseId);
            }
            if (seen.state(ofCourse) >= seen.state(course).capacity()) {
                return "Course \"%s\" is already fully booked".formatted(courseId);
            }
            if (seen.state(ofBoth) > 0) {
                return "Student already subscribed to this course";
            }
            if (seen.state(ofStudent) >= MOST_COURSES) {
                return "Student already subscribed to %s courses".formatted(MOST_COURSES);
            }
            return append(subscribed(studentId, courseId), seen);
        }

        private String append(Event event, Projected seen) {
            return switch (store.append(List.of(event), seen.appendCondition())) {
                case Appended appended -> DONE;
                case Conflict conflict -> "concurrent update";
                case StoreReplaced replaced -> "concurrent update";
            };
        }
    }

    /** A course without its subscriptions. */
    record State(boolean exists, int capacity) {}

    /** Follows the existence and the capacity of one course. */
    record Course(String courseId) implements Projection<State> {

        @Override
        public Query query() {
            return Query.of(
                    QueryItem.types("CourseDefined", "CourseCapacityChanged").tagged(courseTag(courseId)));
        }

        @Override
        public State initial() {
            return new State(false, 0);
        }

        @Override
        public State apply(State state, SequencedEvent event) {
            return event.event().type().equals("CourseDefined")
                    ? new State(
                            true, Json.data(event.event(), CourseDefined.class).capacity())
                    : new State(
                            state.exists(),
                            Json.data(event.event(), CourseCapacityChanged.class)
                                    .newCapacity());
        }
    }

    /** Counts the subscriptions with some tags. */
    record Subscriptions(List<String> tags) implements Projection<Integer> {

        Subscriptions(String... tags) {
            this(List.of(tags));
        }

        @Override
        public Query query() {
            return Query.of(QueryItem.types("StudentSubscribedToCourse").tagged(tags.toArray(String[]::new)));
        }

        @Override
        public Integer initial() {
            return 0;
        }

        @Override
        public Integer apply(Integer count, SequencedEvent event) {
            return count + 1;
        }
    }

    static Event defined(String courseId, int capacity) {
        return Json.event(new CourseDefined(courseId, capacity), courseTag(courseId));
    }

    static Event capacityChanged(String courseId, int newCapacity) {
        return Json.event(new CourseCapacityChanged(courseId, newCapacity), courseTag(courseId));
    }

    static Event subscribed(String studentId, String courseId) {
        return Json.event(
                new StudentSubscribedToCourse(studentId, courseId), studentTag(studentId), courseTag(courseId));
    }

    private static String courseTag(String courseId) {
        return "course:" + courseId;
    }

    private static String studentTag(String studentId) {
        return "student:" + studentId;
    }

    @Test
    void a_course_is_defined_under_a_unique_id() {
        example.given(defined("c1", 10));

        assertThat(courses.define("c1", 15)).isEqualTo("Course with id \"c1\" already exists");
        assertThat(courses.define("c2", 15)).isEqualTo(Courses.DONE);
        assertThat(example.happened(CourseDefined.class))
                .containsExactly(new CourseDefined("c1", 10), new CourseDefined("c2", 15));
    }

    @Test
    void the_capacity_of_a_course_can_change() {
        example.given(defined("c1", 12));

        assertThat(courses.changeCapacity("c0", 15)).isEqualTo("Course \"c0\" does not exist");
        assertThat(courses.changeCapacity("c1", 12)).isEqualTo("New capacity 12 is the same as the current capacity");
        assertThat(courses.changeCapacity("c1", 15)).isEqualTo(Courses.DONE);
        assertThat(example.happened(CourseCapacityChanged.class)).containsExactly(new CourseCapacityChanged("c1", 15));
    }

    @Test
    void a_student_does_not_subscribe_to_a_course_that_does_not_exist() {
        assertThat(courses.subscribe("s1", "c0")).isEqualTo("Course \"c0\" does not exist");
    }

    @Test
    void a_student_does_not_subscribe_to_a_fully_booked_course() {
        example.given(defined("c1", 3), subscribed("s1", "c1"), subscribed("s2", "c1"), subscribed("s3", "c1"));

        assertThat(courses.subscribe("s4", "c1")).isEqualTo("Course \"c1\" is already fully booked");
    }

    @Test
    void a_student_does_not_subscribe_to_a_course_twice() {
        example.given(defined("c1", 10), subscribed("s1", "c1"));

        assertThat(courses.subscribe("s1", "c1")).isEqualTo("Student already subscribed to this course");
    }

    @Test
    void a_student_subscribes_to_five_courses_at_most() {
        IntStream.rangeClosed(1, 6).forEach(number -> example.given(defined("c" + number, 10)));
        IntStream.rangeClosed(1, 5)
                .forEach(number ->
                        assertThat(courses.subscribe("s1", "c" + number)).isEqualTo(Courses.DONE));

        assertThat(courses.subscribe("s1", "c6")).isEqualTo("Student already subscribed to 5 courses");
        assertThat(courses.subscribe("s2", "c6")).isEqualTo(Courses.DONE);
    }

    @Test
    void a_student_subscribes_to_a_course_with_a_free_seat() {
        example.given(defined("c1", 10));

        assertThat(courses.subscribe("s1", "c1")).isEqualTo(Courses.DONE);
        assertThat(example.happened(StudentSubscribedToCourse.class))
                .containsExactly(new StudentSubscribedToCourse("s1", "c1"));
    }

    /*
     * Two students have read that a seat is left. Then one subscribes, and the other's append must fail. The append of
     * a student with four courses must also fail if the student subscribes to a fifth course in between.
     */
    @Test
    void a_subscription_conflicts_with_others_of_its_course_or_student() {
        example.given(defined("c1", 1), defined("c2", 10));
        Projected ofCourse = example.store().project(new Course("c1"), new Subscriptions(courseTag("c1")));
        Projected ofStudent = example.store().project(new Subscriptions(studentTag("s1")));
        Projected ofAnother = example.store().project(new Course("c2"), new Subscriptions(studentTag("s2")));

        assertThat(courses.subscribe("s1", "c1")).isEqualTo(Courses.DONE);

        assertThat(example.store().append(List.of(subscribed("s2", "c1")), ofCourse.appendCondition()))
                .isInstanceOf(Conflict.class);
        assertThat(example.store().append(List.of(subscribed("s1", "c2")), ofStudent.appendCondition()))
                .isInstanceOf(Conflict.class);
        assertThat(example.store().append(List.of(subscribed("s2", "c2")), ofAnother.appendCondition()))
                .isInstanceOf(Appended.class);
    }
}
