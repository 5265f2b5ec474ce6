package dev.registrar.concurrent;

import dev.registrar.options.Bounds;
import java.time.Duration;

/**
 * The options of a {@link CpuExecutor}.
 *
 * @param workers the number of threads, up to 1,000; more threads than processors do not speed tasks up; 0 for one for
 *     each processor
 * @param maxWaiting how many tasks may wait for a worker, 1 to 1,000,000; further tasks are refused
 * @param drain how long {@link CpuExecutor#close} waits for accepted tasks, 0 to 10 min
 */
public record CpuOptions(int workers, int maxWaiting, Duration drain) {
    public CpuOptions {
        Bounds.check("cpu.workers", workers, 0, 1_000);
        Bounds.check("cpu.maxWaiting", maxWaiting, 1, 1_000_000);
        Bounds.check("cpu.drain", drain, Duration.ZERO, Duration.ofMinutes(10));
    }

    /** One worker for each processor, up to 1,000 waiting tasks, and 10 s to drain. */
    public static CpuOptions defaults() {
        return new CpuOptions(0, 1_000, Duration.ofSeconds(10));
    }

    int threads() {
        return workers == 0 ? Runtime.getRuntime().availableProcessors() : workers;
    }
}
