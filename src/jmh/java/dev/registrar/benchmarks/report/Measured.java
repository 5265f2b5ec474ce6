package dev.registrar.benchmarks.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.StreamSupport;
import org.openjdk.jmh.util.ListStatistics;
import org.openjdk.jmh.util.Statistics;
import tools.jackson.databind.JsonNode;

/**
 * A row in all rounds of a run.
 *
 * @param baseline the row that took turns with it; empty if there is none
 * @param circumstances of its run, by name
 * @param callsPerSecond of all callers together, in each round
 * @param p50Millis the median over the rounds of the median duration of a call; NaN if it is not known
 * @param p99Millis the same of the 99th percentile
 * @param cpuMicros the CPU time of the service and PostgreSQL for a call, in each round; empty if it is not known
 * @param bytesPerCall the heap that a call allocates, as the median over the rounds
 * @param remark what else is to be known of the row; may be empty
 */
public record Measured(
        String row,
        String baseline,
        Map<String, String> circumstances,
        List<Double> callsPerSecond,
        double p50Millis,
        double p99Millis,
        List<Double> cpuMicros,
        double bytesPerCall,
        String remark) {
    /** The name of the CPU time among JMH's secondary metrics. */
    public static final String CPU = "cpu";

    private static final double MICROSECONDS = 1_000_000;

    static Measured of(String row, Map<String, String> circumstances, List<JsonNode> rounds) {
        return new Measured(
                row,
                rounds.getFirst().path("by").asString(""),
                circumstances,
                rounds.stream().flatMap(round -> rates(round).stream()).toList(),
                median(rounds, "/primaryMetric/scorePercentiles/50.0") / 1_000,
                median(rounds, "/primaryMetric/scorePercentiles/99.0") / 1_000,
                values(rounds, "/secondaryMetrics/%s/score".formatted(CPU)),
                median(rounds, "/secondaryMetrics/gc.alloc.rate.norm/score")
                        / rounds.getFirst().path("calls").asDouble(1),
                rounds.getLast().path("remark").asString(""));
    }

    /**
     * Returns the calls per second of a result of JMH: one value for its process, or one for each iteration if the
     * result has them.
     */
    public static List<Double> rates(JsonNode result) {
        JsonNode metric = result.path("primaryMetric");
        double calls = result.path("threads").asInt(1) * result.path("calls").asDouble(1);
        JsonNode iterations = metric.at("/rawData/0");
        return (iterations.isMissingNode()
                        ? DoubleStream.of(metric.path("score").asDouble())
                        : StreamSupport.stream(iterations.spliterator(), false).mapToDouble(JsonNode::asDouble))
                .map(microseconds -> calls * MICROSECONDS / microseconds)
                .boxed()
                .toList();
    }

    private static double median(List<JsonNode> rounds, String metric) {
        return median(values(rounds, metric));
    }

    private static List<Double> values(List<JsonNode> rounds, String metric) {
        return rounds.stream()
                .map(round -> round.at(metric))
                .filter(JsonNode::isNumber)
                .map(JsonNode::asDouble)
                .toList();
    }

    static Statistics statistics(List<Double> values) {
        return new ListStatistics(
                values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /* NaN if there is no value. */
    static double median(List<Double> values) {
        return statistics(values).getPercentile(50);
    }

    public double rate() {
        return median(callsPerSecond);
    }

    /** Returns the median of the CPU time for a call; NaN if it is not known. */
    public double cpu() {
        return median(cpuMicros);
    }

    double least() {
        return statistics(callsPerSecond).getMin();
    }

    double most() {
        return statistics(callsPerSecond).getMax();
    }

    /** Whether both were measured in one run. */
    boolean isBeside(Measured other) {
        return circumstances.equals(other.circumstances);
    }

    /** Returns the median of the rate, with the least and the greatest value. */
    public String spread() {
        return callsPerSecond.size() == 1
                ? text(rate())
                : "%s (%s–%s)".formatted(text(rate()), text(least()), text(most()));
    }

    public String day() {
        return "%.10s".formatted(fact("at"));
    }

    public String fact(String name) {
        return circumstances.getOrDefault(name, "");
    }

    /** Returns three significant digits, and all digits before the decimal point; nothing for NaN. */
    public static String text(double value) {
        if (Double.isNaN(value)) {
            return "";
        }
        double size = Math.abs(value);
        int decimals = size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
