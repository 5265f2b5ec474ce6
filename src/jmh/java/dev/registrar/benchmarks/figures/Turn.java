package dev.registrar.benchmarks.figures;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * One of two variants that take turns within one process: A B, B A, A B. Two processes in succession differ by more
 * than the variants do, because the speed of the machine and its disk changes within seconds.
 *
 * @param name the name of its reading, a number per second
 * @param work what one turn does, for some tenths of a second
 */
record Turn(String name, Work work) {

    /** The work of a turn; returns how many operations it did. */
    interface Work {
        long run() throws ExecutionException, InterruptedException;
    }

    /** Warms up both variants, waits for the start, and reports the operations per second of each. */
    static void measure(RunSettings settings, Turn yardstick, Turn subject)
            throws IOException, ExecutionException, InterruptedException {
        long warmUpEnd = System.nanoTime() + settings.warmup().convertTo(TimeUnit.NANOSECONDS);
        do {
            yardstick.work.run();
            subject.work.run();
        } while (System.nanoTime() < warmUpEnd);
        MeasuringProgram.awaitStart();
        long end = System.nanoTime() + settings.measure().convertTo(TimeUnit.NANOSECONDS);
        Sum yardsticks = new Sum();
        Sum subjects = new Sum();
        do {
            yardsticks.add(yardstick.work);
            subjects.add(subject.work);
            subjects.add(subject.work);
            yardsticks.add(yardstick.work);
        } while (System.nanoTime() < end);
        MeasuringProgram.report(yardstick.name, yardsticks.perSecond());
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
