package dev.registrar.benchmarks.figures;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * One of two ways of doing the same, which take turns within one process: A B, B A, A B. Two processes one after
 * another differ by more than what is to be seen here, since the machine and its disk do not stay the same for seconds.
 *
 * @param name of its reading: how many it does a second
 * @param work done in one turn, some tenths of a second
 */
record Turn(String name, Work work) {

    /** What is done in a turn; answers how many were done. */
    interface Work {
        long run() throws ExecutionException, InterruptedException;
    }

    /** Warms both up, waits for the start, and tells of each how many it did a second. */
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
        MeasuringProgram.tell(yardstick.name, yardsticks.perSecond());
        MeasuringProgram.tell(subject.name, subjects.perSecond());
    }

    /** All turns of one of the two. */
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
