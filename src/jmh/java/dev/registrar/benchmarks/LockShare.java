package dev.registrar.benchmarks;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Reports for how long transactions hold the store's lock of appends, divided by the calls, in microseconds. Samples of
 * {@code pg_locks} show the share of time; they cost the server up to a hundredth of a processor.
 */
public final class LockShare implements InternalProfiler {
    static final String LOCKED = "lock of appends";

    private static final long EACH = TimeUnit.MILLISECONDS.toNanos(10);
    private static final String HELD = """
            select count(*)
            from pg_locks
            where locktype = 'advisory'
            and classid = 1145258561
            and granted""";

    private CompletableFuture<Double> share = CompletableFuture.completedFuture(0.0);
    private volatile boolean stopped;

    @Override
    public String getDescription() {
        return "The time for which the lock of appends is held";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        stopped = false;
        share = CompletableFuture.supplyAsync(this::sample);
    }

    private double sample() {
        int held = 0;
        int samples = 0;
        try (Connection database = MeasuredDatabase.ofThisProcess().connect();
                Statement statement = database.createStatement()) {
            while (!stopped) {
                try (ResultSet row = statement.executeQuery(HELD)) {
                    row.next();
                    held += Math.min(1, row.getInt(1));
                    samples++;
                }
                LockSupport.parkNanos(EACH);
            }
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
        return (double) held / Math.max(1, samples);
    }

    @Override
    public Collection<ScalarResult> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        stopped = true;
        long time = iteration.getTime().convertTo(TimeUnit.MICROSECONDS);
        double microseconds = share.join() * time / result.getMetadata().getAllOps();
        return List.of(new ScalarResult(LOCKED, microseconds, "us/op", AggregationPolicy.AVG));
    }
}
