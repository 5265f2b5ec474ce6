package dev.registrar.benchmarks.report;

import java.util.List;
import org.openjdk.jmh.util.ListStatistics;

/**
 * A rate as its iterations tell it.
 *
 * @param value the mean of the iterations
 * @param error half of the 99.9 % confidence interval by Student's t; NaN where fewer than three iterations cannot tell
 *     it
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

    /** The estimate of what is so many times this. */
    Estimate times(double factor) {
        return new Estimate(
                value * factor,
                error * factor,
                iterations.stream().map(iteration -> iteration * factor).toList());
    }
}
