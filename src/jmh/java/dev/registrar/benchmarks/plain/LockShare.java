package dev.registrar.benchmarks.plain;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The share of time in which a transaction holds the store's lock of appends, from samples of {@code pg_locks}. */
final class LockShare {
    /** Whether {@code -Dlocks=true} is given: a sample costs the server up to a hundredth of a processor. */
    static final boolean MEASURED = Boolean.getBoolean("locks");

    private static final long EACH = TimeUnit.MILLISECONDS.toNanos(10);
    private static final String HELD = """
            select count(*)
            from pg_locks
            where locktype = 'advisory'
            and classid = 1145258561
            and granted""";

    private final CompletableFuture<Double> share;
    private volatile boolean stopped;

    private LockShare(Connection database) {
        share = MEASURED
                ? CompletableFuture.supplyAsync(() -> sample(database))
                : CompletableFuture.completedFuture(0.0);
    }

    /** Begins to sample on a connection that has no other use meanwhile. */
    static LockShare start(Connection database) {
        return new LockShare(database);
    }

    private double sample(Connection database) {
        int held = 0;
        int samples = 0;
        try (Statement statement = database.createStatement()) {
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

    /** Returns the share, from 0 to 1. */
    double stop() {
        stopped = true;
        return share.join();
    }
}
