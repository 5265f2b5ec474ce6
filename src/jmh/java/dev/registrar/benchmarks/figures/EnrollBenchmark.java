package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Contents;
import dev.registrar.benchmarks.Freshmen;
import dev.registrar.benchmarks.NewPairs;
import dev.registrar.benchmarks.NewPairs.Pair;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.enrollment.EnrollStudent.Refused;
import dev.registrar.enrollment.EnrollmentEvent;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * How many students can be enrolled per second by the domain's rules? An enrollment reads the facts, decides and
 * appends the event. Every course has enough seats, students may take any number of courses, and no pair occurs twice,
 * so every command must be accepted. Any other result fails the trial.
 *
 * <p>{@code mvn -q process-test-classes exec:exec -Dprogram=figures.Figures -Dselect='row0[34]|row13'}
 */
public class EnrollBenchmark {
    /** A random student in a random course. */
    @Benchmark
    public Accepted<EnrollmentEvent, Refused> enroll(BenchmarkStore store, NewPairs pairs) {
        Pair pair = pairs.next();
        return store.enroll(pair.studentId(), pair.courseId());
    }

    /** One student after another in one course, for which all callers compete. */
    @Benchmark
    public Accepted<EnrollmentEvent, Refused> enrollOneCourse(BenchmarkStore store, Freshmen freshmen) {
        int freshman = freshmen.next();
        return store.enroll(Contents.freshman(freshman), Contents.courseFor(freshman));
    }
}
