package dev.registrar.benchmarks;

import dev.registrar.dataset.DataSet;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.StudentId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Hands out random pairs of a student and a course of the data set: each once, none already enrolled. */
@State(Scope.Benchmark)
public class NewPairs {
    private final Set<Pair> taken = ConcurrentHashMap.newKeySet();
    private Contents contents;

    /** A student and a course in which the student is not enrolled. */
    public record Pair(StudentId student, CourseId course) {}

    /** Collects the enrollments of the data set. */
    @Setup
    public void setUp() {
        contents = MeasuredDatabase.ofThisProcess().contents();
        contents.enrollments().forEach(event -> {
            if (event instanceof StudentEnrolledInCourse in) {
                taken.add(new Pair(in.student(), in.course()));
            }
        });
    }

    /** Returns a pair that was not handed out before. */
    public Pair next() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        // At most half of the pairs, since the search for one of the last would take longer than the call.
        while (taken.size() * 2L < (long) contents.students() * contents.courses()) {
            Pair pair = new Pair(
                    DataSet.student(random.nextInt(contents.students()) + 1),
                    DataSet.course(random.nextInt(contents.courses()) + 1));
            if (taken.add(pair)) {
                return pair;
            }
        }
        throw new IllegalStateException("Half of all pairs are taken: measure for a shorter time");
    }
}
