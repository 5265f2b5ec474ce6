package dev.registrar.benchmarks;

import dev.registrar.benchmarks.PreparedDatabases.FreshDatabase;
import dev.registrar.benchmarks.report.Measured;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** One run of a row under JMH, on a fresh database. */
public final class Measurement {
    /** JMH's output and that of the measuring processes. */
    static final Path LOG = Path.of("target", "benchmarks.log");

    private static final PrintStream OUTPUT = output();

    /** JMH's fields without a meaning for other machines: paths, the options with the database, single samples. */
    private static final Set<String> LEFT_OUT = Set.of("jvm", "jvmArgs", "jdkVersion", "vmName", "vmVersion");

    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final String PERCENTILES = "scorePercentiles";
    /** The metrics in a row's remark. */
    private static final List<String> REMARKED =
            List.of(CpuTime.JAVA, CpuTime.POSTGRES, LockShare.LOCKED, MidwayCheckpoint.WAL_BYTES_PER_EVENT);
    /** The minimum number of calls beyond a percentile; with fewer, the percentile is not reported. */
    private static final int MIN_CALLS_BEYOND = 3;

    private final BenchmarkRow row;

    public Measurement(BenchmarkRow row) {
        this.row = row;
    }

    /**
     * Measures in a separate process, and returns JMH's result with the row's id. JMH measures the time of calls. Since
     * every caller calls again as soon as a call returns, the calls per second are the callers divided by the mean
     * time.
     *
     * @param baselineRate the calls a second of the baseline; NaN if it is not known
     */
    public ObjectNode run(PreparedDatabases databases, TimeValue warmup, TimeValue measure, double baselineRate) {
        ChainedOptionsBuilder options = new OptionsBuilder().forks(1).addProfiler(GCProfiler.class);
        if (row.declared().served()) {
            options.addProfiler(CpuTime.class).addProfiler(Delays.class);
        }
        if (row.declared().served() && Boolean.getBoolean("locks")) {
            options.addProfiler(LockShare.class);
        }
        if (!Double.isNaN(baselineRate)) {
            options.jvmArgsPrepend(Arrivals.property(baselineRate));
        }
        if (Boolean.getBoolean("checkpoint")) {
            options.addProfiler(MidwayCheckpoint.class);
        }
        switch (row.declared().length()) {
            case USUAL -> usual(options, warmup).measurementIterations(1).measurementTime(measure);
            case ONE_CALL ->
                options.warmupIterations(0).measurementIterations(1).measurementTime(TimeValue.NONE);
            case FEW_CALLS ->
                options.warmupIterations(0).measurementIterations(5).measurementTime(TimeValue.seconds(5));
            case TEN_MINUTES -> usual(options, warmup).measurementIterations(10).measurementTime(TimeValue.minutes(1));
        }
        return trimmed(run(databases, options.mode(mode()).threads(row.threads())));
    }

    private static ChainedOptionsBuilder usual(ChainedOptionsBuilder options, TimeValue warmup) {
        return options.warmupIterations(1).warmupTime(warmup);
    }

    /*
     * JMH keeps the sampled times of every iteration in the measured process until the last one ends, which would hide
     * a leak of the store, so the long row has mean times only.
     */
    private Mode mode() {
        return switch (row.declared().length()) {
            case USUAL, FEW_CALLS -> Mode.SampleTime;
            case ONE_CALL -> Mode.SingleShotTime;
            case TEN_MINUTES -> Mode.AverageTime;
        };
    }

    /*
     * The long row queries the database between two iterations. JMH's other threads then wait without leaving their
     * processors, so that a query on a virtual thread never continues.
     */
    private String executor() {
        return row.declared().length() == Row.Length.TEN_MINUTES ? "PLATFORM" : "VIRTUAL";
    }

    private static PrintStream output() {
        try {
            return new PrintStream(LOG.toFile(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Adds a failure to the log. */
    static void log(RuntimeException failure) {
        failure.printStackTrace(OUTPUT);
    }

    /** Calls once, in this process, to check that the benchmark works. */
    public void runOnce(PreparedDatabases databases) {
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

    private RunResult run(PreparedDatabases databases, ChainedOptionsBuilder options) {
        if (row.declared().served()) {
            return run(databases.served(row.template()), options);
        }
        try (FreshDatabase fresh = databases.fresh(row.template(), row.database())) {
            return run(fresh.measured(), options);
        }
    }

    private RunResult run(MeasuredDatabase database, ChainedOptionsBuilder options) {
        try {
            database.asProperties().forEach(System::setProperty);
            row.parameters().forEach(options::param);
            options.include("^" + Pattern.quote(row.benchmark()) + "$")
                    .timeUnit(TimeUnit.MICROSECONDS)
                    .shouldFailOnError(true)
                    .jvmArgsAppend(
                            Stream.concat(database.javaOptions().stream(), Stream.of("-Djmh.executor=" + executor()))
                                    .toArray(String[]::new));
            return new Runner(options.build(), OutputFormatFactory.createFormatInstance(OUTPUT, VerboseMode.NORMAL))
                    .runSingle();
        } catch (RunnerException failure) {
            throw new IllegalStateException("%s failed: see %s".formatted(row.id(), LOG), failure);
        }
    }

    private ObjectNode trimmed(RunResult result) {
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        ResultFormatFactory.getInstance(ResultFormatType.JSON, new PrintStream(json, true, StandardCharsets.UTF_8))
                .writeOut(List.of(result));
        ObjectNode ofJmh = (ObjectNode) JsonMapper.shared()
                .readTree(json.toString(StandardCharsets.UTF_8))
                .get(0);
        ofJmh.remove(LEFT_OUT);
        ObjectNode primary = (ObjectNode) ofJmh.get("primaryMetric");
        primary.remove(Set.of("rawDataHistogram", "rawData", "scoreConfidence", "scoreError"));
        Statistics times = result.getPrimaryResult().getStatistics();
        boolean sampled = mode() == Mode.SampleTime && row.calls() == 1;
        ObjectNode percentiles = primary.putObject(PERCENTILES);
        for (double percent : sampled ? new double[] {50, 95, 99, 99.9} : new double[0]) {
            if (times.getN() * (100 - percent) / 100 >= MIN_CALLS_BEYOND) {
                percentiles.put(String.format(Locale.ROOT, "%.1f", percent), times.getPercentile(percent));
            }
        }
        if (result.getSecondaryResults().containsKey(Delays.P99)) {
            percentiles.removeAll();
            percentiles.put("50.0", score(result, Delays.P50)).put("99.0", score(result, Delays.P99));
        }
        ObjectNode secondary = ofJmh.putObject("secondaryMetrics");
        List<String> remark = new ArrayList<>();
        result.getSecondaryResults().forEach((metric, value) -> {
            if (REMARKED.contains(metric)) {
                remark.add(metric + " " + Measured.text(value.getScore()));
            }
            if (REMARKED.contains(metric) || metric.equals(Measured.CPU) || metric.equals(ALLOCATED)) {
                secondary.putObject(metric).put("score", value.getScore());
            }
        });
        ObjectNode named = JsonMapper.shared().createObjectNode();
        named.put("row", row.id()).put("by", row.baseline()).put("calls", row.calls());
        named.put("remark", String.join("; ", remark));
        return named.setAll(ofJmh);
    }

    private static double score(RunResult result, String metric) {
        return Objects.requireNonNull(result.getSecondaryResults().get(metric), metric)
                .getScore();
    }
}
