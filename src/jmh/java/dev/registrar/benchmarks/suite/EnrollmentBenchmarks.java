package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Contents;
import dev.registrar.benchmarks.Freshmen;
import dev.registrar.benchmarks.NewPairs;
import dev.registrar.benchmarks.NewPairs.Pair;
import dev.registrar.benchmarks.Template;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.enrollment.EnrollStudent.Refused;
import dev.registrar.enrollment.EnrollmentEvent;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * Enrollments by the real rules: the course is known and open and has a seat, the student is known, no pair comes
 * twice. The limit of a student's courses is so high that nobody meets it. All of them have to be accepted.
 */
public class EnrollmentBenchmarks {

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (int callers : new int[] {1, 10, 100}) {
            rows.add(Row.of("enrollment/many-courses", EnrollmentBenchmarks.class, "manyCourses")
                    .by(callers));
            rows.add(Row.of("enrollment/one-course", EnrollmentBenchmarks.class, "oneCourse")
                    .on(Template.FRESHMEN)
                    .by(callers));
        }
        return rows;
    }

    /** Any student in any course. */
    @Benchmark
    public Accepted<EnrollmentEvent, Refused> manyCourses(BenchmarkStore store, NewPairs pairs) {
        Pair pair = pairs.next();
        return store.enroll(pair.studentId(), pair.courseId());
    }

    /** Any student in the course that everybody wants. */
    @Benchmark
    public Accepted<EnrollmentEvent, Refused> oneCourse(BenchmarkStore store, Freshmen freshmen) {
        int freshman = freshmen.next();
        return store.enroll(Contents.freshman(freshman), Contents.courseFor(freshman));
    }
}
