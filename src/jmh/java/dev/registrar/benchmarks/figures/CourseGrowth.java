package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.Contents;
import dev.registrar.benchmarks.MeasuredDatabase;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Does an enrollment slow down as its course grows? Enrolls 20,000 students in one course and reports the rates of the
 * first and of the last thousand. Warms up on another course.
 *
 * <p>{@code mvn -q process-test-classes exec:exec -Dprogram=figures.Figures -Dselect=row04-growing}
 */
final class CourseGrowth {
    private static final int CALLERS = 100;
    private static final int STUDENTS = 20_000;
    private static final int STUDENTS_IN_SMOKE = 200;
    private static final int PARTS = 20;

    private final BenchmarkStore store;
    private final int callers;
    private final int students;
    private final int freshmen;

    private CourseGrowth(BenchmarkStore store, RunSettings settings) {
        this.store = store;
        this.callers = settings.callers(CALLERS);
        this.students = settings.smoke() ? STUDENTS_IN_SMOKE : STUDENTS;
        this.freshmen = MeasuredDatabase.ofThisProcess().contents().freshmen();
    }

    /** Measures the database of this process. */
    public static void main(String[] arguments) throws IOException, ExecutionException, InterruptedException {
        RunSettings settings = RunSettings.ofThisProcess();
        try (BenchmarkStore store = BenchmarkStore.on(MeasuredDatabase.ofThisProcess())) {
            CourseGrowth growth = new CourseGrowth(store, settings);
            growth.warmUp(settings.warmup().convertTo(TimeUnit.NANOSECONDS));
            MeasuringProgram.awaitStart();
            long[] enrolledAt = growth.grow();
            int part = growth.students / PARTS;
            MeasuringProgram.report("first", part * 1e9 / enrolledAt[part - 1]);
            long lastPart = enrolledAt[growth.students - 1] - enrolledAt[growth.students - 1 - part];
            MeasuringProgram.report("last", part * 1e9 / lastPart);
        }
    }

    private void warmUp(long nanoseconds) throws ExecutionException, InterruptedException {
        AtomicInteger next = new AtomicInteger(students + callers);
        long started = System.nanoTime();
        Callers.run(callers, number -> {
            while (System.nanoTime() - started < nanoseconds) {
                int freshman = next.getAndIncrement();
                if (freshman >= freshmen) {
                    return;
                }
                store.enroll(Contents.freshman(freshman), Contents.WARM_UP_COURSE);
            }
        });
    }

    /* Enrolls one student per caller more than it counts, so that all callers take part in the last thousand. */
    private long[] grow() throws ExecutionException, InterruptedException {
        AtomicInteger next = new AtomicInteger();
        long[] enrolledAt = new long[students + callers];
        long started = System.nanoTime();
        Callers.run(callers, number -> {
            for (int freshman = next.getAndIncrement();
                    freshman < enrolledAt.length;
                    freshman = next.getAndIncrement()) {
                store.enroll(Contents.freshman(freshman), Contents.GROWING_COURSE);
                enrolledAt[freshman] = System.nanoTime() - started;
            }
        });
        Arrays.sort(enrolledAt);
        return enrolledAt;
    }
}
