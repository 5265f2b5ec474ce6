package dev.registrar.concurrent;

import java.time.Duration;

/**
 * The options of a {@link CpuExecutor}: begin with {@link #defaults()}.
 *
 * @param name of the executor and its threads, 1 to 40 lower-case letters, digits and hyphens
 * @param workers threads, 1 to 1,000; more than there are processors make no task faster
 * @param maxWaiting tasks that wait for a worker, 1 to 1,000,000; one more is refused
 * @param drain how long {@link CpuExecutor#close} lets accepted tasks go on, 0 to 10 min
 */
public record CpuOptions(String name, int workers, int maxWaiting, Duration drain) {
    private static final Duration LONGEST_DRAIN = Duration.ofMinutes(10);

    public CpuOptions {
        if (!name.matches("[a-z0-9-]{1,40}")) {
            throw new IllegalArgumentException(
                    "The name of a CPU executor has 1 to 40 lower-case letters, digits and hyphens but was '%s'"
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
            throw new IllegalArgumentException("%s must be 1 to %d but is %d".formatted(name, most, value));
        }
    }

    /** A worker for each processor, 1,000 tasks that wait, and 10 s to drain. */
    public static CpuOptions defaults() {
        return new CpuOptions("cpu", Runtime.getRuntime().availableProcessors(), 1_000, Duration.ofSeconds(10));
    }

    /** The same options, with another number of workers. */
    public CpuOptions withWorkers(int threads) {
        return new CpuOptions(name, threads, maxWaiting, drain);
    }

    /** The same options, with another bound of tasks that wait. */
    public CpuOptions withMaxWaiting(int tasks) {
        return new CpuOptions(name, workers, tasks, drain);
    }

    /** The same options, with another time to drain. */
    public CpuOptions withDrain(Duration time) {
        return new CpuOptions(name, workers, maxWaiting, time);
    }
}
