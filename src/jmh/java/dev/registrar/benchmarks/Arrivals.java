package dev.registrar.benchmarks;

import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Random moments at which calls are due, whether the ones before are answered or not, as long as a caller is free.
 * Without a part of the baseline's rate, each caller calls again at once.
 */
@State(Scope.Benchmark)
public class Arrivals {
    private static final String RATE = "registrar.benchmark.rate";
    private static final String USUAL_RATE = "100";
    private static final long SEED = 20_261_127L;

    /** The part of the baseline's rate at which calls come. */
    @Param("0")
    double part;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private double rate;
    private double next;

    /** Returns the system property that passes the baseline's calls a second to a measuring process. */
    static String property(double baselineRate) {
        return "-D%s=%s".formatted(RATE, baselineRate);
    }

    /** Begins at the start of each iteration. */
    @Setup(Level.Iteration)
    public void begin() {
        rate = part * Double.parseDouble(System.getProperty(RATE, USUAL_RATE));
        next = System.nanoTime();
    }

    /** Waits until the next call is due, and returns that moment. */
    public long await() {
        if (part == 0) {
            return System.nanoTime();
        }
        long due = next();
        for (long early = due - System.nanoTime(); early > 0; early = due - System.nanoTime()) {
            LockSupport.parkNanos(early);
        }
        return due;
    }

    private synchronized long next() {
        next += -Math.log(1 - random.nextDouble()) / rate * 1e9;
        return (long) next;
    }

    /** Ends a call that was due at this moment. */
    public void end(long due) {
        if (part > 0) {
            Delays.add(System.nanoTime() - due);
        }
    }
}
