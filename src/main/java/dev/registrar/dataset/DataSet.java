package dev.registrar.dataset;

import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.EmailAddress;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.StudentName;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The data sets, by size. Their events obey every rule of enrollment: no course exceeds its capacity, no student has
 * more than ten courses, no student is in a course twice.
 */
public enum DataSet {
    TINY(5, 10, 20, 50),
    SMALL(500, 5_000, 25_000, 100),
    MEDIUM(1_000, 10_000, 50_000, 100),
    LARGE(16_000, 160_000, 824_000, 100);

    private static final long SEED = 20_260_101L;

    private final int courses;
    private final int students;
    private final int enrollments;
    private final int capacity;

    DataSet(int courses, int students, int enrollments, int capacity) {
        this.courses = courses;
        this.students = students;
        this.enrollments = enrollments;
        this.capacity = capacity;
    }

    public int courses() {
        return courses;
    }

    public int students() {
        return students;
    }

    public int enrollments() {
        return enrollments;
    }

    /** The number of events. */
    public int size() {
        return courses + students + enrollments;
    }

    public static CourseId course(int number) {
        return new CourseId("course-" + number);
    }

    public static StudentId student(int number) {
        return new StudentId("student-" + number);
    }

    /** The courses, then the students, then the enrollments by student. The stream is lazy. */
    public Stream<EnrollmentEvent> events() {
        Stream<EnrollmentEvent> defined = IntStream.rangeClosed(1, courses)
                .mapToObj(i -> new CourseDefined(
                        course(i), new CourseTitle("Course " + i), new Capacity(capacity), EnrollmentWindow.ALWAYS));
        Stream<EnrollmentEvent> registered = IntStream.rangeClosed(1, students)
                .mapToObj(i -> new StudentRegistered(
                        student(i),
                        new StudentName("Student " + i),
                        new EmailAddress("student-%s@example.org".formatted(i))));
        SplittableRandom random = new SplittableRandom(SEED);
        int[] enrolled = new int[courses + 1];
        Stream<EnrollmentEvent> taken = IntStream.rangeClosed(1, students)
                .boxed()
                .flatMap(i ->
                        coursesOf(i, random, enrolled).map(course -> new StudentEnrolledInCourse(student(i), course)));
        return Stream.concat(Stream.concat(defined, registered), taken);
    }

    private Stream<CourseId> coursesOf(int student, SplittableRandom random, int[] enrolled) {
        int wanted = enrollments / students + (student <= enrollments % students ? 1 : 0);
        Set<Integer> chosen = new HashSet<>();
        while (chosen.size() < wanted) {
            int course = random.nextInt(1, courses + 1);
            if (enrolled[course] < capacity && chosen.add(course)) {
                enrolled[course]++;
            }
        }
        return chosen.stream().sorted().map(DataSet::course);
    }
}
