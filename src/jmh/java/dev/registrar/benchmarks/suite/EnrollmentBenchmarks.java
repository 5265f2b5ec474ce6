package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.Contents;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.NewPairs;
import dev.registrar.benchmarks.NewPairs.Pair;
import dev.registrar.benchmarks.Row;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.Refusal;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * How fast are enrollments by the domain's rules? The course exists, is open and has a seat; the student exists; no
 * pair occurs twice; no student reaches the limit of courses. Every enrollment must be accepted.
 */
public class EnrollmentBenchmarks {

    /** A random student in a random course. */
    @Row(value = "enrollment/many-courses dataset=small callers=1,10,100", by = "baseline/insert")
    @Row("enrollment/many-courses dataset=medium callers=100")
    @Benchmark
    public Accepted<EnrollmentEvent, Refusal> manyCourses(BenchmarkStore store, NewPairs pairs) {
        Pair pair = pairs.next();
        return store.enroll(pair.student(), pair.course());
    }

    /** Hands out students without an enrollment, each once. */
    @State(Scope.Benchmark)
    public static class Freshmen {
        private final AtomicInteger taken = new AtomicInteger();
        private int students;

        /** Reads the number of students in the database. */
        @Setup
        public void setUp() {
            students = MeasuredDatabase.ofThisProcess().contents().freshmen();
        }

        int next() {
            int freshman = taken.getAndIncrement();
            if (freshman >= students) {
                throw new IllegalStateException(
                        "All %s freshmen are enrolled: measure for a shorter time".formatted(students));
            }
            return freshman;
        }
    }

    /** A new student in the same course as all others. */
    @Row(
            value = "enrollment/one-course callers=1,10,100",
            on = "freshmen",
            by = "enrollment/many-courses dataset=small")
    @Benchmark
    public Accepted<EnrollmentEvent, Refusal> oneCourse(BenchmarkStore store, Freshmen freshmen) {
        int freshman = freshmen.next();
        return store.enroll(Contents.freshman(freshman), Contents.courseFor(freshman));
    }

    /** A course with students, after as many enrollments for each number of them. */
    @State(Scope.Benchmark)
    public static class Growing {
        private static final int PART = 1_000;
        private static final int CALLERS = 100;

        @Param("0")
        int enrolled;

        /** Enrollments before the measurement; the others than those of the course are of another one. */
        @Param("1000")
        int before;

        private BenchmarkStore store;
        private Freshmen freshmen;

        @Setup
        public void enroll(BenchmarkStore measured, Freshmen notEnrolled) {
            store = measured;
            freshmen = notEnrolled;
            enroll(Contents.WARM_UP_COURSE, before - enrolled);
            enroll(Contents.GROWING_COURSE, enrolled);
        }

        int enroll(CourseId course, int students) {
            AtomicInteger left = new AtomicInteger(students);
            Callers.run(CALLERS, caller -> {
                while (left.getAndDecrement() > 0) {
                    store.enroll(Contents.freshman(freshmen.next()), course);
                }
            });
            return students;
        }
    }

    /** Does an enrollment slow down as its course grows? A thousand students enroll, after none and after 19,000. */
    @Row(
            value = "enrollment/growing-course enrolled=0,19000 callers=100",
            on = "freshmen",
            with = "before=19000",
            by = "enrolled=0",
            calls = "1000",
            length = Row.Length.ONE_CALL)
    @Benchmark
    public int growingCourse(Growing growing) {
        return growing.enroll(Contents.GROWING_COURSE, Growing.PART);
    }
}
