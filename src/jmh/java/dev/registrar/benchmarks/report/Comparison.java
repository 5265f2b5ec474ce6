package dev.registrar.benchmarks.report;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

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
        if (!ofOneRun || values.size() != others.size() || values.size() == 1) {
            return new Comparison(
                    Measured.median(values) / Measured.median(others),
                    Collections.min(values) / Collections.max(others),
                    Collections.max(values) / Collections.min(others));
        }
        List<Double> ratios = IntStream.range(0, values.size())
                .mapToObj(round -> values.get(round) / others.get(round))
                .sorted()
                .toList();
        return new Comparison(Measured.median(ratios), ratios.getFirst(), ratios.getLast());
    }

    /** Whether the spread leaves out 1; if the rows did not take turns, whether their spreads do not overlap. */
    boolean showsDifference() {
        return least > 1 || greatest < 1;
    }

    /** Returns the ratio, its spread and whether that shows a difference. */
    public String text() {
        return "%s (%s–%s)%s"
                .formatted(
                        Measured.text(ratio),
                        Measured.text(least),
                        Measured.text(greatest),
                        showsDifference() ? "" : ", no difference shown");
    }
}
