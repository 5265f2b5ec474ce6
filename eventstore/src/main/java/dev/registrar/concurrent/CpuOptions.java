package dev.registrar.concurrent;

import java.time.Duration;

/**
 * The options of a {@link CpuExecutor}. Start from {@link #defaults()}.
 *
 * @param name the name of the executor and its threads, 1 to 40 lower-case letters, digits and hyphens
 * @param workers the number of threads, 1 to 1,000; more threads than processors do not speed tasks up
 * @param maxWaiting how many tasks may wait for a worker, 1 to 1,000,000; further tasks are refused
 * @param drain how long {@link CpuExecutor#close} waits for accepted tasks, 0 to 10 min
 */
public record CpuOptions(String name, int workers, int maxWaiting, Duration drain) {
    private static final Duration LONGEST_DRAIN = Duration.ofMinutes(10);

    public CpuOptions {
        if (!name.matches("[a-z0-9-]{1,40}")) {
            throw new IllegalArgumentException(
                    "The name of a CPU executor must have 1 to 40 lower-case letters, digits and hyphens but is '%s'"
                            .formatted(name));
        }
        check("workers", workers, 1_000);
        check("maxWaiting", maxWaiting, 1_000_000);
        if (drain.isNegative() || drain.compareTo(LONGEST_DRAIN) > 0) {
            throw new IllegalArgumentException("drain must be 0 s to %s but is %s".formatted(LONGEST_DRAIN, drain));
        }
    }

    private static void check(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException("%s must be 1 to %s but is %s".formatted(name, most, value));
        }
    }

    /** One worker for each processor, up to 1,000 waiting tasks, and 10 s to drain. */
    public static CpuOptions defaults() {
        return new CpuOptions("cpu", Runtime.getRuntime().availableProcessors(), 1_000, Duration.ofSeconds(10));
    }

    /** The same options, with another number of workers. */
    public CpuOptions withWorkers(int threads) {
        return new CpuOptions(name, threads, maxWaiting, drain);
    }

    /** The same options, with another bound of waiting tasks. */
    public CpuOptions withMaxWaiting(int tasks) {
        return new CpuOptions(name, workers, tasks, drain);
    }

    /** The same options, with another time to drain. */
    public CpuOptions withDrain(Duration time) {
        return new CpuOptions(name, workers, maxWaiting, time);
    }
}
