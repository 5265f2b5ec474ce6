package dev.registrar.benchmarks;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Runs a checkpoint in the middle of each iteration, after which PostgreSQL writes each page in full to the WAL on its
 * first change. Reports the WAL bytes per event.
 */
public final class MidwayCheckpoint extends IterationProfiler {
    /*
     * A profiler instead of a state with set-up and tear-down for each iteration: while one caller runs those, the
     * others spin, and spinning virtual threads leave no carrier thread for the answer of the database.
     */
    static final String WAL_BYTES_PER_EVENT = "WAL bytes per event";

    private static final String WAL_BYTES = "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn";
    private static final String EVENTS = "select coalesce(max(position), 0) from registrar.events";

    private CompletableFuture<Void> checkpoint = CompletableFuture.completedFuture(null);
    private long walBytes;
    private long events;

    @Override
    void begin(long microseconds) {
        // Looked up late, because JMH also creates the profiler in the process that starts the measuring one.
        MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
        walBytes = database.number(WAL_BYTES);
        events = database.number(EVENTS);
        checkpoint = CompletableFuture.runAsync(
                () -> database.execute("checkpoint"),
                CompletableFuture.delayedExecutor(microseconds / 2, TimeUnit.MICROSECONDS));
    }

    @Override
    List<ScalarResult> end(long calls, long microseconds) {
        checkpoint.join();
        MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
        double bytes = database.number(WAL_BYTES) - walBytes;
        return List.of(new ScalarResult(
                WAL_BYTES_PER_EVENT, bytes / (database.number(EVENTS) - events), "B", AggregationPolicy.AVG));
    }
}
