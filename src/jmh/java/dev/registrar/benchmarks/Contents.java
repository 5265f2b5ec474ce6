package dev.registrar.benchmarks;

import dev.registrar.dataset.DataSet;
import dev.registrar.decision.EventCodec.Encoded;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.EmailAddress;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.StudentName;
import dev.registrar.eventstore.Event;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The events in a store before a measurement: a data set, and what single rows need in addition. Each course has the
 * maximum number of seats, because a measurement enrolls more students than the data set's own seats allow.
 *
 * @param copies how often the store contains the data set, each time with different courses and students; may be 0
 * @param freshmen number of students outside the data set without an enrollment; the store has courses for them
 * @param tagged number of events with tags of several frequencies, see {@link FrequentTags}
 */
public record Contents(DataSet data, int copies, int freshmen, int tagged) {
    /** Fewer than the seats of a course, since concurrent callers enroll out of order. */
    public static final int FRESHMEN_PER_COURSE = Capacity.MAX - 1_000;

    public static final CourseId GROWING_COURSE = new CourseId("growing-course");
    public static final CourseId WARM_UP_COURSE = new CourseId("warm-up-course");
    private static final String METADATA = "{\"correlationId\":\"00000000-0000-4000-8000-000000000001\"}";

    public static Contents of(DataSet data) {
        return new Contents(data, 1, 0, 0);
    }

    public int courses() {
        return data.courses() * copies;
    }

    public int students() {
        return data.students() * copies;
    }

    public static StudentId freshman(int number) {
        return new StudentId("freshman-" + number);
    }

    /** The course for a freshman: the same for all, until it has no seats left. */
    public static CourseId courseFor(int freshman) {
        return new CourseId("one-course-" + freshman / FRESHMEN_PER_COURSE);
    }

    /** The events of the data set. */
    public Stream<EnrollmentEvent> enrollments() {
        return IntStream.range(0, copies).boxed().flatMap(copy -> data.events().map(event -> copied(event, copy)));
    }

    public Stream<Event> events() {
        EnrollmentEventCodec codec = new EnrollmentEventCodec();
        return Stream.of(
                        Stream.concat(enrollments(), freshmenAndTheirCourses())
                                .map(event -> encode(codec.encode(event))),
                        FrequentTags.events(tagged))
                .flatMap(some -> some);
    }

    private EnrollmentEvent copied(EnrollmentEvent event, int copy) {
        return switch (event) {
            case CourseDefined defined -> roomy(course(defined.course(), copy), defined.title());
            case StudentRegistered registered -> {
                StudentId student = student(registered.student(), copy);
                yield registered(student, registered.name().value());
            }
            case StudentEnrolledInCourse in ->
                new StudentEnrolledInCourse(student(in.student(), copy), course(in.course(), copy));
            default -> throw new IllegalStateException("A data set does not have events such as %s".formatted(event));
        };
    }

    /* The number at the end of an id of the data set. */
    private static int number(String id) {
        return Integer.parseInt(id.substring(id.indexOf('-') + 1));
    }

    private CourseId course(CourseId original, int copy) {
        return DataSet.course(number(original.value()) + copy * data.courses());
    }

    private StudentId student(StudentId original, int copy) {
        return DataSet.student(number(original.value()) + copy * data.students());
    }

    private Stream<EnrollmentEvent> freshmenAndTheirCourses() {
        if (freshmen == 0) {
            return Stream.empty();
        }
        Stream<CourseId> courses = Stream.concat(
                Stream.of(GROWING_COURSE, WARM_UP_COURSE),
                IntStream.rangeClosed(0, freshmen / FRESHMEN_PER_COURSE)
                        .mapToObj(number -> courseFor(number * FRESHMEN_PER_COURSE)));
        return Stream.concat(
                courses.map(Contents::roomy), IntStream.range(0, freshmen).mapToObj(Contents::freshmanRegistered));
    }

    /** A course for all. */
    public static CourseDefined roomy(CourseId course) {
        return roomy(course, new CourseTitle("A course for all"));
    }

    public static StudentRegistered freshmanRegistered(int number) {
        return registered(freshman(number), "Freshman " + number);
    }

    private static CourseDefined roomy(CourseId course, CourseTitle title) {
        return new CourseDefined(course, title, new Capacity(Capacity.MAX), EnrollmentWindow.ALWAYS);
    }

    private static StudentRegistered registered(StudentId student, String name) {
        return new StudentRegistered(
                student, new StudentName(name), new EmailAddress("%s@example.org".formatted(student)));
    }

    private static Event encode(Encoded encoded) {
        return Event.of(encoded.type(), encoded.tags(), encoded.payload()).withMetadata(METADATA);
    }
}
