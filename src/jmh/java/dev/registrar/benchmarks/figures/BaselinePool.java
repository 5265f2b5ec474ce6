package dev.registrar.benchmarks.figures;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.benchmarks.BarePool;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/** The baselines' connections: one for each caller, at most 32. */
@State(Scope.Benchmark)
public class BaselinePool {
    private static final int MAX_CONNECTIONS = 32;

    HikariDataSource connections;

    /** Opens the pool on the database that this process measures. */
    @Setup
    public void open(BenchmarkParams benchmark) {
        connections = BarePool.open(Math.min(benchmark.getThreads(), MAX_CONNECTIONS));
    }

    @TearDown
    public void close() {
        connections.close();
    }
}
