package dev.registrar.benchmarks.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Callers on virtual threads, each of which calls again at once. */
final class Calling {
    private Calling() {}

    /**
     * The calls a second in periods of the same length.
     *
     * @param measured seconds of a period
     * @param warmUps seconds from the first call to the start of each period, in increasing order
     * @throws IllegalStateException if a call fails
     */
    static List<Double> rates(int callers, Runnable call, long measured, long... warmUps) {
        LongAdder done = new LongAdder();
        AtomicReference<@Nullable RuntimeException> failed = new AtomicReference<>();
        long started = System.nanoTime();
        long end = started + TimeUnit.SECONDS.toNanos(warmUps[warmUps.length - 1] + measured);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                try {
                    while (System.nanoTime() < end) {
                        call.run();
                        done.increment();
                    }
                } catch (RuntimeException failure) {
                    failed.set(failure);
                }
            }));
        }
        List<Double> rates = new ArrayList<>();
        for (long warmUp : warmUps) {
            await(started + TimeUnit.SECONDS.toNanos(warmUp));
            long from = System.nanoTime();
            long before = done.sum();
            await(from + TimeUnit.SECONDS.toNanos(measured));
            rates.add((done.sum() - before) * 1e9 / (System.nanoTime() - from));
        }
        threads.forEach(Calling::join);
        RuntimeException failure = failed.get();
        if (failure != null) {
            throw new IllegalStateException("A call failed", failure);
        }
        return rates;
    }

    private static void await(long time) {
        for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
