package dev.registrar.benchmarks;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.runner.IterationType;

/**
 * Runs a checkpoint in the middle of the measurement, after which PostgreSQL writes each page in full to the WAL on its
 * first change. Reports the WAL bytes per event.
 */
public final class MidwayCheckpoint implements InternalProfiler {
    /*
     * A profiler instead of a state with set-up and tear-down for each iteration: while one caller runs those, the
     * others spin, and spinning virtual threads leave no carrier thread for the answer of the database.
     */
    static final String WAL_BYTES_PER_EVENT = "WAL bytes per event";

    private @Nullable FutureTask<Progress> underway;

    private record Progress(double walBytes, double events) {}

    @Override
    public String getDescription() {
        return "A checkpoint in the middle of the measurement";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        if (iteration.getType() == IterationType.MEASUREMENT) {
            Progress before = progress();
            long half = iteration.getTime().convertTo(TimeUnit.NANOSECONDS) / 2;
            FutureTask<Progress> task = new FutureTask<>(() -> {
                TimeUnit.NANOSECONDS.sleep(half);
                MeasuredDatabase.ofThisProcess().execute("checkpoint");
                return before;
            });
            underway = task;
            Thread.ofPlatform().daemon().start(task);
        }
    }

    @Override
    public Collection<ScalarResult> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        if (underway == null) {
            return List.of();
        }
        Progress after = progress();
        Progress before = result(underway);
        double bytes = (after.walBytes - before.walBytes) / (after.events - before.events);
        return List.of(new ScalarResult(WAL_BYTES_PER_EVENT, bytes, "B", AggregationPolicy.AVG));
    }

    private static Progress result(FutureTask<Progress> task) {
        try {
            return task.get();
        } catch (ExecutionException | InterruptedException failure) {
            throw new IllegalStateException("The checkpoint failed", failure);
        }
    }

    /* The database is looked up late, because JMH also creates the profiler in the process that starts the measuring one. */
    private static Progress progress() {
        MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
        return new Progress(
                database.number("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn"),
                database.number("select coalesce(max(position), 0) from registrar.events"));
    }
}
