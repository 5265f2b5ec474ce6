package dev.registrar.benchmarks;

import dev.registrar.dataset.DataSet;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.StudentId;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Hands out random pairs of a student and a course of the data set: each once, none already enrolled. */
@State(Scope.Benchmark)
public class NewPairs {
    private final AtomicLong taken = new AtomicLong();
    private Contents contents;
    private long pairs;
    private long mask;
    private int half;
    private long[] enrolled;

    /**
     * A student and a course in which the student is not enrolled.
     *
     * @param student the number in the data set, from 1
     * @param course the number in the data set, from 1
     */
    public record Pair(int student, int course) {
        public StudentId studentId() {
            return DataSet.student(student);
        }

        public CourseId courseId() {
            return DataSet.course(course);
        }
    }

    /** Collects the enrollments of the data set. */
    @Setup
    public void setUp() {
        contents = MeasuredDatabase.ofThisProcess().contents();
        pairs = (long) contents.courses() * contents.students();
        mask = Long.highestOneBit(pairs) * 2 - 1;
        half = (Long.bitCount(mask) + 1) / 2;
        enrolled = contents.data()
                .events()
                .filter(StudentEnrolledInCourse.class::isInstance)
                .map(StudentEnrolledInCourse.class::cast)
                .mapToLong(in -> inOneCopy(
                        Contents.number(in.student().value()) - 1,
                        Contents.number(in.course().value()) - 1))
                .sorted()
                .toArray();
    }

    /** Returns a pair that was not handed out before. */
    public Pair next() {
        while (true) {
            long number = taken.getAndIncrement();
            if (number >= pairs) {
                throw new IllegalStateException("All %s pairs are taken: measure for a shorter time".formatted(pairs));
            }
            long pair = shuffled(number);
            int student = (int) (pair / contents.courses());
            int course = (int) (pair % contents.courses());
            if (!areEnrolled(student, course)) {
                return new Pair(student + 1, course + 1);
            }
        }
    }

    /* A shuffle without a table: each step permutes the numbers below a power of two. Results out of range go again. */
    private long shuffled(long number) {
        long mixed = number;
        do {
            mixed = (mixed + 0x2545F4914F6CDD1DL) & mask;
            mixed ^= mixed >>> half;
            mixed = (mixed * 0x9E3779B97F4A7C15L) & mask;
            mixed ^= mixed >>> half;
            mixed = (mixed * 0xBF58476D1CE4E5B9L) & mask;
            mixed ^= mixed >>> half;
        } while (mixed >= pairs);
        return mixed;
    }

    private boolean areEnrolled(int student, int course) {
        DataSet data = contents.data();
        return student / data.students() == course / data.courses()
                && Arrays.binarySearch(enrolled, inOneCopy(student % data.students(), course % data.courses())) >= 0;
    }

    private long inOneCopy(int student, int course) {
        return (long) student * contents.data().courses() + course;
    }
}
