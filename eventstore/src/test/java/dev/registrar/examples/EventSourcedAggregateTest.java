package dev.registrar.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A conventional event-sourced aggregate in this store: its stream is the events with its tag, its version the position
 * of the last of them. It throws exceptions and is mutable, as is usual for aggregates; a {@code Decision} needs
 * neither.
 *
 * @see <a href="https://dcb.events/examples/event-sourced-aggregate/">the published example</a>
 */
@OnEveryStore
class EventSourcedAggregateTest {
    private final ExampleStore example;
    private final CourseRepository courses;

    EventSourcedAggregateTest(ExampleStore example) {
        this.example = example;
        this.courses = new CourseRepository(example.emptied());
    }

    record CourseDefined(String courseId, String title, int capacity) {}

    record CourseCapacityChanged(String courseId, int newCapacity) {}

    record StudentSubscribedToCourse(String courseId, String studentId) {}

    /** Loads and saves courses. */
    static final class CourseRepository {
        private final EventStore store;

        CourseRepository(EventStore store) {
            this.store = store;
        }

        CourseAggregate load(String courseId) {
            try (EventStream events = store.read(stream(courseId))) {
                return CourseAggregate.reconstitute(events.toList());
            }
        }

        /** Fails with a conflict if the course has events that it was not loaded with. */
        AppendResult save(CourseAggregate course) {
            AppendCondition unchanged =
                    AppendCondition.failIfEventsMatch(stream(course.id())).after(course.version());
            return store.append(course.pullRecordedEvents(), unchanged);
        }

        private static Query stream(String courseId) {
            return Query.of(QueryItem.tags(tag(courseId)));
        }
    }

    /** A course that students subscribe to. */
    static final class CourseAggregate {
        private final List<Event> recordedEvents = new ArrayList<>();
        private Position version = Position.START;
        private String id = "";
        private int capacity;
        private int subscriptions;

        static CourseAggregate create(String id, String title, int capacity) {
            CourseAggregate course = new CourseAggregate();
            course.record(Json.event(new CourseDefined(id, title, capacity), tag(id)));
            return course;
        }

        static CourseAggregate reconstitute(List<SequencedEvent> events) {
            CourseAggregate course = new CourseAggregate();
            for (SequencedEvent event : events) {
                course.apply(event.event());
                course.version = event.position();
            }
            return course;
        }

        String id() {
            return id;
        }

        /** The position of the last loaded event. */
        Position version() {
            return version;
        }

        void changeCapacity(int newCapacity) {
            if (newCapacity == capacity) {
                throw new IllegalStateException("Course %s already has a capacity of %s".formatted(id, newCapacity));
            }
            if (newCapacity < subscriptions) {
                throw new IllegalStateException(
                        "Course %s has %s subscriptions, more than %s".formatted(id, subscriptions, newCapacity));
            }
            record(Json.event(new CourseCapacityChanged(id, newCapacity), tag(id)));
        }

        void subscribe(String studentId) {
            if (subscriptions == capacity) {
                throw new IllegalStateException("Course %s is already fully booked".formatted(id));
            }
            record(Json.event(new StudentSubscribedToCourse(id, studentId), tag(id)));
        }

        List<Event> pullRecordedEvents() {
            List<Event> events = List.copyOf(recordedEvents);
            recordedEvents.clear();
            return events;
        }

        private void record(Event event) {
            recordedEvents.add(event);
            apply(event);
        }

        private void apply(Event event) {
            switch (event.type()) {
                case "CourseDefined" -> {
                    CourseDefined defined = Json.data(event, CourseDefined.class);
                    id = defined.courseId();
                    capacity = defined.capacity();
                }
                case "CourseCapacityChanged" ->
                    capacity = Json.data(event, CourseCapacityChanged.class).newCapacity();
                case "StudentSubscribedToCourse" -> subscriptions++;
                default -> throw new IllegalArgumentException("A course has no event " + event.type());
            }
        }
    }

    private static String tag(String courseId) {
        return "course:" + courseId;
    }

    @Test
    void a_new_course_records_its_events() {
        CourseAggregate course = CourseAggregate.create("c1", "Course 01", 10);
        course.changeCapacity(15);

        assertThat(course.pullRecordedEvents())
                .extracting(Event::type)
                .containsExactly("CourseDefined", "CourseCapacityChanged");
        assertThat(course.pullRecordedEvents()).isEmpty();
    }

    @Test
    void a_saved_course_is_loaded_changed_and_saved_again() {
        assertThat(courses.save(CourseAggregate.create("c1", "Course 01", 10))).isInstanceOf(Appended.class);

        CourseAggregate course = courses.load("c1");
        course.changeCapacity(15);

        assertThat(course.version()).isEqualTo(Position.of(1));
        assertThat(courses.save(course)).isInstanceOf(Appended.class);
        assertThat(example.happened(CourseDefined.class)).containsExactly(new CourseDefined("c1", "Course 01", 10));
        assertThat(example.happened(CourseCapacityChanged.class)).containsExactly(new CourseCapacityChanged("c1", 15));
    }

    @Test
    void a_loaded_course_knows_its_capacity() {
        CourseAggregate course = CourseAggregate.create("c1", "Course 01", 10);
        course.changeCapacity(15);
        courses.save(course);

        assertThatThrownBy(() -> courses.load("c1").changeCapacity(15)).hasMessageContaining("capacity of 15");
    }

    @Test
    void a_loaded_course_knows_its_subscriptions() {
        CourseAggregate course = CourseAggregate.create("c1", "Course 01", 2);
        course.subscribe("s1");
        course.subscribe("s2");
        courses.save(course);

        assertThatThrownBy(() -> courses.load("c1").subscribe("s3")).hasMessageContaining("fully booked");
        assertThatThrownBy(() -> courses.load("c1").changeCapacity(1)).hasMessageContaining("2 subscriptions");
    }

    /*
     * Two users load a course with one free seat. Both subscribe a student to it. The second save fails, and its events
     * are not stored.
     */
    @Test
    void one_of_two_users_that_loaded_the_same_course_can_save_it() {
        courses.save(CourseAggregate.create("c1", "Course 01", 1));
        CourseAggregate here = courses.load("c1");
        CourseAggregate there = courses.load("c1");
        here.subscribe("s1");
        there.subscribe("s2");

        assertThat(courses.save(here)).isInstanceOf(Appended.class);
        assertThat(courses.save(there))
                .isInstanceOfSatisfying(
                        Conflict.class,
                        conflict -> assertThat(conflict.position()).isEqualTo(Position.of(2)));
        assertThat(example.happened(StudentSubscribedToCourse.class))
                .containsExactly(new StudentSubscribedToCourse("c1", "s1"));
    }

    @Test
    void a_course_is_created_once() {
        courses.save(CourseAggregate.create("c1", "Course 01", 1));

        assertThat(courses.save(CourseAggregate.create("c1", "Another", 1))).isInstanceOf(Conflict.class);
    }

    @Test
    void a_change_of_another_course_is_no_conflict() {
        courses.save(CourseAggregate.create("c1", "Course 01", 1));
        CourseAggregate course = courses.load("c1");
        course.subscribe("s1");
        courses.save(CourseAggregate.create("c2", "Course 02", 1));

        assertThat(courses.save(course)).isInstanceOf(Appended.class);
    }
}
