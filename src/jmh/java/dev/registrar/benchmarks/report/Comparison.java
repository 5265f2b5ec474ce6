package dev.registrar.benchmarks.report;

import java.util.List;
import java.util.stream.IntStream;
import org.openjdk.jmh.util.Statistics;

/**
 * The rate of a row, or its CPU time, divided by that of another one, with its spread.
 *
 * @param ratio the median
 */
public record Comparison(double ratio, double least, double greatest) {
    /**
     * Compares two rows. If both have as many rounds of one run, the spread is that of the rounds' ratios, because the
     * rows took turns; else it is that of the greatest by the least rate, and the least by the greatest one.
     */
    public static Comparison of(Measured subject, Measured baseline) {
        return of(subject.callsPerSecond(), baseline.callsPerSecond(), subject.isBeside(baseline));
    }

    /** Compares the CPU times of two rows in the same way. */
    public static Comparison ofCpu(Measured subject, Measured baseline) {
        return of(subject.cpuMicros(), baseline.cpuMicros(), subject.isBeside(baseline));
    }

    private static Comparison of(List<Double> values, List<Double> others, boolean ofOneRun) {
        Statistics ours = Measured.statistics(values);
        Statistics theirs = Measured.statistics(others);
        if (!ofOneRun || values.size() != others.size() || values.size() == 1) {
            return new Comparison(
                    ours.getPercentile(50) / theirs.getPercentile(50),
                    ours.getMin() / theirs.getMax(),
                    ours.getMax() / theirs.getMin());
        }
        Statistics ratios = Measured.statistics(IntStream.range(0, values.size())
                .mapToObj(round -> values.get(round) / others.get(round))
                .toList());
        return new Comparison(ratios.getPercentile(50), ratios.getMin(), ratios.getMax());
    }

    /** Whether the spread leaves out 1; if the rows did not take turns, whether their spreads do not overlap. */
    boolean showsDifference() {
        return least > 1 || greatest < 1;
    }

    /** Returns the ratio, its spread and whether that shows a difference; only the ratio if there is no spread. */
    public String text() {
        if (least == greatest) {
            return Measured.text(ratio);
        }
        return "%s (%s–%s)%s"
                .formatted(
                        Measured.text(ratio),
                        Measured.text(least),
                        Measured.text(greatest),
                        showsDifference() ? "" : ", no difference shown");
    }
}
