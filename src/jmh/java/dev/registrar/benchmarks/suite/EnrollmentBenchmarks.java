package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.Contents;
import dev.registrar.benchmarks.Freshmen;
import dev.registrar.benchmarks.NewPairs;
import dev.registrar.benchmarks.NewPairs.Pair;
import dev.registrar.benchmarks.Row;
import dev.registrar.decision.ContentionRecorder;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.StoredStates;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.Refusal;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * How fast are enrollments by the domain's rules? The course exists, is open and has a seat; the student exists; no
 * pair occurs twice; no student reaches the limit of courses. Every enrollment must be accepted.
 */
public class EnrollmentBenchmarks {

    /** A random student in a random course. */
    @Row(value = "enrollment/many-courses dataset=small callers=1,10,100", by = "baseline/insert dataset=small")
    @Row("enrollment/many-courses dataset=medium callers=100")
    @Row(
            value = "slow-flush/enroll dataset=small callers=1,10,100",
            database = AppendBenchmarks.Bare.SLOW_FLUSH,
            by = "slow-flush/insert dataset=small")
    @Benchmark
    public Accepted<EnrollmentEvent, Refusal> manyCourses(BenchmarkStore store, NewPairs pairs) {
        Pair pair = pairs.next();
        return store.enroll(pair.studentId(), pair.courseId());
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
        private final AtomicInteger next = new AtomicInteger();

        @Setup
        public void enroll(BenchmarkStore measured) throws ExecutionException, InterruptedException {
            store = measured;
            enroll(Contents.WARM_UP_COURSE, before - enrolled);
            enroll(Contents.GROWING_COURSE, enrolled);
        }

        int enroll(CourseId course, int students) throws ExecutionException, InterruptedException {
            AtomicInteger left = new AtomicInteger(students);
            Callers.run(CALLERS, caller -> {
                while (left.getAndDecrement() > 0) {
                    store.enroll(Contents.freshman(next.getAndIncrement()), course);
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
    public int growingCourse(Growing growing) throws ExecutionException, InterruptedException {
        return growing.enroll(Contents.GROWING_COURSE, Growing.PART);
    }

    /** Two decision loops, which conflict with each other as two instances of the service do. */
    @State(Scope.Benchmark)
    public static class TwoLoops {
        @Param("on")
        String recorder = "";

        private List<DecisionLoop<EnrollmentEvent>> loops;

        @Setup
        public void create(BenchmarkStore store) {
            ContentionRecorder one =
                    recorder.equals("on") ? new ContentionRecorder(InstantSource.system()) : ContentionRecorder.off();
            loops = Stream.generate(() -> store.newLoop(one, StoredStates.off()))
                    .limit(2)
                    .toList();
        }

        /** Fails if the loops of many callers have not conflicted, so that nothing was recorded. */
        @TearDown
        public void judge(BenchmarkParams benchmark) {
            if (recorder.equals("on")
                    && benchmark.getThreads() > 1
                    && loops.getFirst().contention().stream().noneMatch(item -> item.conflicts() > 0)) {
                throw new IllegalStateException("No enrollment conflicted with another one");
            }
        }
    }

    /** What does it cost to record where decisions compete? */
    @Row(value = "enrollment/two-loops recorder=off,on callers=100", on = "freshmen", by = "recorder=off")
    @Benchmark
    public Accepted<EnrollmentEvent, Refusal> byTwoLoops(TwoLoops loops, Freshmen freshmen) {
        int freshman = freshmen.next();
        return BenchmarkStore.enroll(
                loops.loops.get(freshman % 2), Contents.freshman(freshman), Contents.courseFor(freshman));
    }
}
