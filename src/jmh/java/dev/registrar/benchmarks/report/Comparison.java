package dev.registrar.benchmarks.report;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The rate of a row divided by that of another one, with its spread.
 *
 * @param ratio the median
 */
public record Comparison(double ratio, double least, double greatest) {
    /**
     * Compares two rows. If both have as many rounds of one run, the spread is that of the rounds' ratios, because the
     * rows took turns; else it is that of the greatest by the least rate, and the least by the greatest one.
     */
    public static Comparison of(Measured subject, Measured baseline) {
        List<Double> rates = subject.callsPerSecond();
        List<Double> others = baseline.callsPerSecond();
        if (!subject.isBeside(baseline) || rates.size() != others.size() || rates.size() == 1) {
            return new Comparison(
                    subject.rate() / baseline.rate(),
                    subject.least() / baseline.most(),
                    subject.most() / baseline.least());
        }
        List<Double> ratios = IntStream.range(0, rates.size())
                .mapToObj(round -> rates.get(round) / others.get(round))
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
