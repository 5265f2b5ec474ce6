package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.PreparedDatabases;
import dev.registrar.benchmarks.PreparedDatabases.FreshDatabase;
import dev.registrar.benchmarks.RunLog;
import dev.registrar.benchmarks.Template;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * One run of one benchmark method under JMH.
 *
 * @param name the name of its reading
 * @param slowFlush whether each commit takes about 2 ms, as on a cloud disk
 * @param checkpointed whether a checkpoint runs in the middle of the measurement
 */
record JmhTrial(
        String name,
        Class<?> benchmark,
        String method,
        Measured measured,
        Template template,
        int callers,
        boolean slowFlush,
        boolean checkpointed)
        implements Trial {
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    /** The quantity that a run measures. */
    enum Measured {
        OPERATIONS_PER_SECOND,
        MICROSECONDS_PER_OPERATION,
        MEDIAN_AND_99TH_PERCENTILE,
        BYTES_PER_OPERATION
    }

    static JmhTrial of(String name, Class<?> benchmark, String method, int callers) {
        return new JmhTrial(
                name, benchmark, method, Measured.OPERATIONS_PER_SECOND, Template.SMALL, callers, false, false);
    }

    JmhTrial measuring(Measured other) {
        return new JmhTrial(name, benchmark, method, other, template, callers, slowFlush, checkpointed);
    }

    JmhTrial on(Template other) {
        return new JmhTrial(name, benchmark, method, measured, other, callers, slowFlush, checkpointed);
    }

    JmhTrial flushingSlowly() {
        return new JmhTrial(name, benchmark, method, measured, template, callers, true, checkpointed);
    }

    JmhTrial acrossACheckpoint() {
        return new JmhTrial(name, benchmark, method, measured, template, callers, slowFlush, true);
    }

    @Override
    public List<String> readings() {
        List<String> readings = new ArrayList<>();
        switch (measured) {
            case OPERATIONS_PER_SECOND, MICROSECONDS_PER_OPERATION, BYTES_PER_OPERATION -> readings.add(name);
            case MEDIAN_AND_99TH_PERCENTILE -> {
                readings.add(median(name));
                readings.add(percentile99(name));
            }
        }
        if (checkpointed) {
            readings.add(walBytes(name));
        }
        return readings;
    }

    static String median(String name) {
        return name + ", median";
    }

    static String percentile99(String name) {
        return name + ", 99th percentile";
    }

    static String walBytes(String name) {
        return name + ", " + MidwayCheckpoint.WAL_BYTES_PER_EVENT;
    }

    @Override
    public Map<String, Double> run(PreparedDatabases databases, RunSettings settings) {
        try (FreshDatabase database = databases.fresh(template, slowFlush)) {
            Map<String, Double> readings = new LinkedHashMap<>();
            read(run(database.measured(), settings), readings);
            return readings;
        }
    }

    private RunResult run(MeasuredDatabase database, RunSettings settings) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + Pattern.quote(benchmark.getName() + "." + method) + "$")
                .mode(mode())
                .timeUnit(measured == Measured.OPERATIONS_PER_SECOND ? TimeUnit.SECONDS : TimeUnit.MICROSECONDS)
                .threads(settings.callers(callers))
                .forks(settings.smoke() ? 0 : 1)
                .warmupIterations(1)
                .warmupTime(settings.warmup())
                .measurementIterations(1)
                .measurementTime(settings.measure())
                .shouldFailOnError(true)
                .jvmArgsAppend(Stream.concat(database.javaOptions().stream(), Stream.of("-Djmh.executor=VIRTUAL"))
                        .toArray(String[]::new));
        if (measured == Measured.BYTES_PER_OPERATION) {
            options.addProfiler(GCProfiler.class);
        }
        if (checkpointed) {
            options.addProfiler(MidwayCheckpoint.class);
        }
        if (settings.smoke()) {
            database.asProperties().forEach(System::setProperty);
        }
        try {
            return new Runner(
                            options.build(),
                            OutputFormatFactory.createFormatInstance(RunLog.stream(), VerboseMode.NORMAL))
                    .runSingle();
        } catch (RunnerException failure) {
            throw new IllegalStateException("%s failed: see %s".formatted(name, RunLog.FILE), failure);
        }
    }

    private Mode mode() {
        return switch (measured) {
            case OPERATIONS_PER_SECOND, BYTES_PER_OPERATION -> Mode.Throughput;
            case MICROSECONDS_PER_OPERATION -> Mode.AverageTime;
            case MEDIAN_AND_99TH_PERCENTILE -> Mode.SampleTime;
        };
    }

    private void read(RunResult result, Map<String, Double> readings) {
        Result<?> primary = result.getPrimaryResult();
        switch (measured) {
            case OPERATIONS_PER_SECOND, MICROSECONDS_PER_OPERATION -> readings.put(name, primary.getScore());
            case MEDIAN_AND_99TH_PERCENTILE -> {
                readings.put(median(name), primary.getStatistics().getPercentile(50));
                readings.put(percentile99(name), primary.getStatistics().getPercentile(99));
            }
            case BYTES_PER_OPERATION -> readings.put(name, secondary(result, ALLOCATED));
        }
        if (checkpointed) {
            readings.put(walBytes(name), secondary(result, MidwayCheckpoint.WAL_BYTES_PER_EVENT));
        }
    }

    private static double secondary(RunResult result, String label) {
        Result<?> secondary = result.getSecondaryResults().get(label);
        if (secondary == null) {
            throw new IllegalStateException("JMH reported no '%s'".formatted(label));
        }
        return secondary.getScore();
    }
}
