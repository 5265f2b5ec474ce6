package dev.registrar.benchmarks.report;

import java.util.List;
import org.openjdk.jmh.util.ListStatistics;

/**
 * A rate, estimated from iterations.
 *
 * @param value the mean of the iterations
 * @param error half of the 99.9 % confidence interval by Student's t; NaN for fewer than three iterations
 * @param iterations one or more, in the order of the run
 */
public record Estimate(double value, double error, List<Double> iterations) {
    private static final double CONFIDENCE = 0.999;

    public Estimate {
        iterations = List.copyOf(iterations);
        if (iterations.isEmpty()) {
            throw new IllegalArgumentException("An estimate needs an iteration");
        }
    }

    public static Estimate of(List<Double> iterations) {
        ListStatistics statistics = new ListStatistics(
                iterations.stream().mapToDouble(Double::doubleValue).toArray());
        return new Estimate(statistics.getMean(), statistics.getMeanErrorAt(CONFIDENCE), iterations);
    }

    /** Returns whether the iterations rise, by more than chance and by at least a tenth of their mean. */
    public boolean rises() {
        return Steadiness.trend(this) > 0;
    }

    /** Returns the value at the upper end of the error interval; the value itself if the error is unknown. */
    double most() {
        return Double.isNaN(error) ? value : value + error;
    }

    /** Returns the value at the lower end of the error interval; the value itself if the error is unknown. */
    double least() {
        return Double.isNaN(error) ? value : value - error;
    }

    /** Returns the estimate multiplied by a factor. */
    Estimate times(double factor) {
        return new Estimate(
                value * factor,
                error * factor,
                iterations.stream().map(iteration -> iteration * factor).toList());
    }
}
