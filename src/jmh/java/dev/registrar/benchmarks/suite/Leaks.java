package dev.registrar.benchmarks.suite;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.eventstore.postgres.StoreDatabase;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The resources of a process between iterations, when no call is in progress: heap after a collection, threads,
 * connections of its pool and sessions of the server. A value that rises over the iterations is a leak, and so is a
 * connection that is in use.
 */
@State(Scope.Benchmark)
public class Leaks {
    private static final int FEWEST = 5;
    private static final double LEAST_CHANGE = 0.1;

    private final Map<String, List<Double>> samples = new LinkedHashMap<>();
    private HikariDataSource pool;
    private int inUse;

    @Setup
    public void find(BenchmarkStore store) {
        pool = StoreDatabase.poolOf(store.store);
    }

    /** Adds a sample of the current values. */
    @TearDown(Level.Iteration)
    public void look() {
        System.gc();
        add("heap in use, bytes", (double)
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        add("threads", ManagementFactory.getThreadMXBean().getThreadCount());
        HikariPoolMXBean connections = pool.getHikariPoolMXBean();
        add("connections of the pool", connections.getTotalConnections());
        add("sessions of the server", (double) MeasuredDatabase.ofThisProcess()
                .number("select count(*) from pg_stat_activity where datname = current_database()"));
        inUse = Math.max(inUse, connections.getActiveConnections());
    }

    void add(String what, double value) {
        samples.computeIfAbsent(what, unknown -> new ArrayList<>()).add(value);
    }

    /** Fails if there is a leak. */
    @TearDown
    public void judge() {
        found().ifPresent(leak -> {
            throw new IllegalStateException("A leak: " + leak);
        });
    }

    /** Returns the first leak, or empty. With fewer than five samples, only a connection in use is detected. */
    Optional<String> found() {
        if (inUse > 0) {
            return Optional.of("%s connections are in use without a call".formatted(inUse));
        }
        return samples.entrySet().stream()
                .filter(sample -> rises(sample.getValue()))
                .map(sample -> "%s: %s".formatted(sample.getKey(), sample.getValue()))
                .findFirst();
    }

    /* Whether the least value of the second half is above the greatest of the first, by a tenth of it. */
    private static boolean rises(List<Double> values) {
        int half = values.size() / 2;
        return values.size() >= FEWEST
                && Collections.min(values.subList(half, values.size()))
                        > Collections.max(values.subList(0, half)) * (1 + LEAST_CHANGE);
    }
}
