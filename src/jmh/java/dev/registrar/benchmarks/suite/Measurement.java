package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.PreparedDatabases;
import dev.registrar.benchmarks.PreparedDatabases.FreshDatabase;
import dev.registrar.benchmarks.RunLog;
import dev.registrar.benchmarks.report.Estimate;
import dev.registrar.benchmarks.report.RowResult;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/** One run of a row under JMH, on a separate database. */
final class Measurement {
    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final double MICROSECONDS = 1_000_000;
    /** The minimum number of calls beyond a percentile; with fewer, the percentile is not reported. */
    private static final int MIN_CALLS_BEYOND = 3;

    private final Row row;

    Measurement(Row row) {
        this.row = row;
    }

    /**
     * Measures in a separate process. JMH measures the time of calls. Since every caller calls again as soon as a call
     * returns, the calls per second are the callers divided by the mean time. A row that is not steady is measured
     * again, for longer; the last attempt counts.
     */
    RowResult run(PreparedDatabases databases, SuiteSettings settings) {
        SuiteSettings own = row.length().of(settings);
        RowResult result = attempt(1, databases, own);
        for (int attempt = 2; attempt <= own.attempts() && !result.unsteady().isEmpty(); attempt++) {
            System.out.printf("%s, again: ", result.unsteady());
            result = attempt(attempt, databases, own);
        }
        return result;
    }

    private RowResult attempt(int number, PreparedDatabases databases, SuiteSettings settings) {
        int factor = 1 << (number - 1);
        RunResult result = run(
                databases,
                new OptionsBuilder()
                        .mode(row.mode())
                        .threads(row.threads())
                        .forks(1)
                        .warmupIterations(settings.warmup().getTime() == 0 ? 0 : 1)
                        .warmupTime(times(settings.warmup(), factor))
                        .measurementIterations(settings.iterations() * factor)
                        .measurementTime(settings.measure())
                        .addProfiler(GCProfiler.class));
        List<Double> callsPerSecond = result.getBenchmarkResults().stream()
                .map(BenchmarkResult::getIterationResults)
                .flatMap(iterations -> iterations.stream())
                .map(iteration -> iteration.getPrimaryResult().getStatistics().getMean())
                .map(mean -> row.threads() * row.callsPerOperation() * MICROSECONDS / mean)
                .toList();
        Statistics times = result.getPrimaryResult().getStatistics();
        Result<?> allocated = result.getSecondaryResults().get(ALLOCATED);
        return new RowResult(
                row.id().row(),
                row.id().parameters(),
                row.callers(),
                row.eventsPerCall(),
                Estimate.of(callsPerSecond),
                percentile(times, 50),
                percentile(times, 99),
                percentile(times, 99.9),
                allocated == null ? Double.NaN : allocated.getScore() / row.callsPerOperation(),
                number);
    }

    private static TimeValue times(TimeValue time, int factor) {
        return new TimeValue(time.getTime() * factor, time.getTimeUnit());
    }

    /* NaN without samples of calls, or with too few beyond the percentile. */
    private double percentile(Statistics times, double percent) {
        boolean known = row.samplesCalls() && times.getN() * (100 - percent) / 100 >= MIN_CALLS_BEYOND;
        return known ? times.getPercentile(percent) : Double.NaN;
    }

    /** Calls once, in this process, to check that the benchmark works. */
    void runOnce(PreparedDatabases databases) {
        run(
                databases,
                new OptionsBuilder()
                        .mode(Mode.SingleShotTime)
                        .threads(1)
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.NONE));
    }

    private String[] javaOptions(MeasuredDatabase database) {
        return Stream.concat(database.javaOptions().stream(), Stream.of("-Djmh.executor=" + row.executor()))
                .toArray(String[]::new);
    }

    private RunResult run(PreparedDatabases databases, ChainedOptionsBuilder options) {
        try (FreshDatabase fresh = databases.fresh(row.template(), false)) {
            MeasuredDatabase database = fresh.measured();
            database.asProperties().forEach(System::setProperty);
            row.parameters().forEach(options::param);
            options.include("^" + Pattern.quote(row.benchmark().getName() + "." + row.method()) + "$")
                    .timeUnit(TimeUnit.MICROSECONDS)
                    .shouldFailOnError(true)
                    .jvmArgsAppend(javaOptions(database));
            return new Runner(
                            options.build(),
                            OutputFormatFactory.createFormatInstance(RunLog.stream(), VerboseMode.NORMAL))
                    .runSingle();
        } catch (RunnerException failure) {
            throw new IllegalStateException("%s failed: see %s".formatted(row.id(), RunLog.FILE), failure);
        }
    }
}
