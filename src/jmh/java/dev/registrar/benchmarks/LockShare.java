package dev.registrar.benchmarks;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Reports for how long transactions hold the store's lock of appends, divided by the calls, in microseconds. Samples of
 * {@code pg_locks} show the share of time; they cost the server up to a hundredth of a processor.
 */
public final class LockShare extends IterationProfiler {
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
    void begin(long microseconds) {
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
    List<ScalarResult> end(long calls, long microseconds) {
        stopped = true;
        return List.of(figure(LOCKED, share.join() * microseconds / calls));
    }
}
