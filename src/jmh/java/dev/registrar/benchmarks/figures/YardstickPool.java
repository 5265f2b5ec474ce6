package dev.registrar.benchmarks.figures;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.benchmarks.MeasuredDatabase;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/** The yardsticks' connections: one for each caller, and 32 at most. */
@State(Scope.Benchmark)
public class YardstickPool {
    private static final int MOST = 32;

    HikariDataSource connections;

    /** Opens the pool on the database that this process is to measure. */
    @Setup
    public void open(BenchmarkParams benchmark) {
        MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setUsername(database.username());
        config.setPassword(database.password());
        config.setMaximumPoolSize(Math.min(benchmark.getThreads(), MOST));
        config.addDataSourceProperty("prepareThreshold", "1");
        connections = new HikariDataSource(config);
    }

    @TearDown
    public void close() {
        connections.close();
    }
}
