package dev.registrar.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.results.ScalarResult;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Reports for how long transactions hold the store's lock of appends, divided by the calls, in microseconds. Samples of
 * {@code pg_locks} show the share of time; they cost the server up to a hundredth of a processor.
 */
public final class LockShare extends IterationProfiler {
    static final String LOCKED = "lock of appends";

    private static final long EACH = TimeUnit.MILLISECONDS.toNanos(10);
    private static final String HELD = """
            select exists (
                select
                from pg_locks
                where locktype = 'advisory'
                and classid = 1145258561
                and granted)""";

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
        try (Connection database = MeasuredDatabase.ofThisProcess().connect()) {
            JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(database, true));
            while (!stopped) {
                held += Boolean.TRUE.equals(jdbc.queryForObject(HELD, Boolean.class)) ? 1 : 0;
                samples++;
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
