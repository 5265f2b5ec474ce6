package dev.registrar.benchmarks;

import dev.registrar.benchmarks.NewPairs.Pair;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.EnrollStudent.Refused;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.StudentId;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * How many students can be enrolled a second: the facts read, the decision made and its event appended, with the
 * domain's own rules. Every course has seats for all, students may take any number of courses, and no pair comes twice,
 * so each command has to be accepted: whatever else becomes of one fails the trial.
 *
 * <p>{@code mvn -q verify -Pbenchmarks -Dbenchmarks='row0[34]|row13'}
 */
public class EnrollBenchmark {
    private static final int NO_LIMIT = Integer.MAX_VALUE;
    private static final Origin ORIGIN = Origin.correlatedBy("00000000-0000-4000-8000-000000000003");

    /** A random student in a random course. */
    @Benchmark
    public Accepted<EnrollmentEvent, Refused> enroll(BenchmarkStore store, NewPairs pairs) {
        Pair pair = pairs.next();
        return enrolled(store, pair.studentId(), pair.courseId());
    }

    /** One student after another in one course, which all callers fight for. */
    @Benchmark
    public Accepted<EnrollmentEvent, Refused> enrollOneCourse(BenchmarkStore store, Freshmen freshmen) {
        int freshman = freshmen.next();
        return enrolled(store, Contents.freshman(freshman), Contents.courseFor(freshman));
    }

    static Accepted<EnrollmentEvent, Refused> enrolled(BenchmarkStore store, StudentId student, CourseId course) {
        EnrollStudent command = new EnrollStudent(student, course, NO_LIMIT);
        if (store.loop.execute(command, ORIGIN) instanceof Accepted<EnrollmentEvent, Refused> accepted
                && accepted.events().size() == 1) {
            return accepted;
        }
        throw new IllegalStateException("%s was not accepted".formatted(command));
    }
}
