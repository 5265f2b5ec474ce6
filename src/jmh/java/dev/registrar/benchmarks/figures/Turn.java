package dev.registrar.benchmarks.figures;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * One of two variants that take turns within one process: A B, B A, A B. Two processes in succession differ by more
 * than the variants do, because the speed of the machine and its disk changes within seconds.
 *
 * @param name the name of its reading, a number per second
 * @param work the work of one turn, which takes some tenths of a second
 */
record Turn(String name, Work work) {

    /** The work of a turn; returns the number of operations. */
    interface Work {
        long run() throws ExecutionException, InterruptedException;
    }

    /** Warms up both variants, waits for the start, and reports the operations per second of each. */
    static void measure(RunSettings settings, Turn baseline, Turn subject)
            throws IOException, ExecutionException, InterruptedException {
        long warmUpEnd = System.nanoTime() + settings.warmup().convertTo(TimeUnit.NANOSECONDS);
        do {
            baseline.work.run();
            subject.work.run();
        } while (System.nanoTime() < warmUpEnd);
        MeasuringProgram.awaitStart();
        long end = System.nanoTime() + settings.measure().convertTo(TimeUnit.NANOSECONDS);
        Sum baselines = new Sum();
        Sum subjects = new Sum();
        do {
            baselines.add(baseline.work);
            subjects.add(subject.work);
            subjects.add(subject.work);
            baselines.add(baseline.work);
        } while (System.nanoTime() < end);
        MeasuringProgram.report(baseline.name, baselines.perSecond());
        MeasuringProgram.report(subject.name, subjects.perSecond());
    }

    /** The total of a variant's turns. */
    private static final class Sum {
        private long done;
        private long nanoseconds;

        void add(Work work) throws ExecutionException, InterruptedException {
            long started = System.nanoTime();
            done += work.run();
            nanoseconds += System.nanoTime() - started;
        }

        double perSecond() {
            return done * 1e9 / nanoseconds;
        }
    }
}
