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
 * How fast are enrollments by the domain's rules? The course exists, is open and has a seat; the student exists; no
 * pair occurs twice; no student reaches the limit of courses. Every enrollment must be accepted.
 */
public class EnrollmentBenchmarks {

    static List<Row> rows(List<Template> dataSets) {
        List<Row> rows = new ArrayList<>();
        for (int callers : new int[] {1, 10, 100}) {
            rows.add(Row.of("enrollment/many-courses", EnrollmentBenchmarks.class, "manyCourses")
                    .by(callers));
            rows.add(Row.of("enrollment/one-course", EnrollmentBenchmarks.class, "oneCourse")
                    .on(Template.FRESHMEN)
                    .by(callers));
        }
        if (dataSets.contains(Template.MEDIUM)) {
            rows.add(Row.of("enrollment/many-courses", EnrollmentBenchmarks.class, "manyCourses")
                    .on(Template.MEDIUM)
                    .by(100));
        }
        return rows;
    }

    /** A random student in a random course. */
    @Benchmark
    public Accepted<EnrollmentEvent, Refused> manyCourses(BenchmarkStore store, NewPairs pairs) {
        Pair pair = pairs.next();
        return store.enroll(pair.studentId(), pair.courseId());
    }

    /** A new student in the same course as all others. */
    @Benchmark
    public Accepted<EnrollmentEvent, Refused> oneCourse(BenchmarkStore store, Freshmen freshmen) {
        int freshman = freshmen.next();
        return store.enroll(Contents.freshman(freshman), Contents.courseFor(freshman));
    }
}
