package dev.registrar.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether the iterations of a row are steady, so that their mean is the row's rate. Other rows are only marked. */
final class Steadiness {
    /*
     * The trend is found by the test of Mann and Kendall: S counts the pairs of iterations that rise minus those that
     * fall, and needs no assumption about the distribution of the noise (H. B. Mann, Nonparametric tests against
     * trend, Econometrica 13, 1945; M. G. Kendall, Rank correlation methods, 1975). The probability of S is exact: that
     * of the same number of inversions in a random permutation. A pair of equal iterations counts as neither. The size
     * of the trend is the median slope of all pairs (P. K. Sen, Estimates of the regression coefficient based on
     * Kendall's tau, Journal of the American Statistical Association 63, 1968). A trend of a few per cent, as in a
     * table that grows, does not spoil a mean.
     */

    /** The level of significance of a trend, two-sided. */
    static final double LEVEL = 0.05;
    /** The least change over all iterations that counts as a trend, as a part of their mean. */
    static final double LEAST_CHANGE = 0.1;
    /** The least error that is too large, as a part of the mean. */
    static final double LARGE_ERROR = 0.25;
    /** With fewer iterations, no order of them is improbable enough to be a trend. */
    static final int LEAST_ITERATIONS = 5;

    private Steadiness() {}

    /** Returns why the estimate is not steady; empty if it is. */
    static Optional<String> objection(Estimate estimate) {
        List<Double> iterations = estimate.iterations();
        if (iterations.size() < LEAST_ITERATIONS) {
            return Optional.of("%s iterations, fewer than %s".formatted(iterations.size(), LEAST_ITERATIONS));
        }
        double trend = trend(estimate);
        if (trend != 0) {
            return Optional.of("%s by %s of the value over its iterations"
                    .formatted(trend > 0 ? "rises" : "falls", Numbers.text(Math.abs(trend))));
        }
        double error = estimate.error() / estimate.value();
        return error < LARGE_ERROR
                ? Optional.empty()
                : Optional.of("the error is %s of the value, not below %s"
                        .formatted(Numbers.text(error), Numbers.text(LARGE_ERROR)));
    }

    /** Returns the change over all iterations, as a part of their mean, if it is a trend; else 0. */
    static double trend(Estimate estimate) {
        List<Double> iterations = estimate.iterations();
        if (iterations.size() < LEAST_ITERATIONS || estimate.value() == 0) {
            return 0;
        }
        double change = slope(iterations) * (iterations.size() - 1) / estimate.value();
        boolean significant = probability(iterations.size(), pairs(iterations)) <= LEVEL;
        return significant && Math.abs(change) >= LEAST_CHANGE ? change : 0;
    }

    /** Returns S of Mann and Kendall: the pairs that rise minus the pairs that fall. */
    static int pairs(List<Double> values) {
        int pairs = 0;
        for (int later = 1; later < values.size(); later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                pairs += (int) Math.signum(values.get(later) - values.get(earlier));
            }
        }
        return pairs;
    }

    /** Returns the probability that S of this number of values in random order is at least as far from 0. */
    static double probability(int values, int pairs) {
        int all = values * (values - 1) / 2;
        double[] inversions = {1};
        for (int size = 2; size <= values; size++) {
            inversions = withOneMore(inversions, size);
        }
        double atMost = 0;
        for (int count = 0; count <= (all - Math.abs(pairs)) / 2; count++) {
            atMost += inversions[count];
        }
        return Math.min(1, 2 * atMost);
    }

    /* The last of the given number of values takes part in 0 to size - 1 inversions, each with the same probability. */
    private static double[] withOneMore(double[] before, int size) {
        double[] after = new double[before.length + size - 1];
        for (int count = 0; count < after.length; count++) {
            for (int own = Math.max(0, count - before.length + 1); own <= Math.min(size - 1, count); own++) {
                after[count] += before[count - own] / size;
            }
        }
        return after;
    }

    /* Sen's slope: the median change from one iteration to the next, of all pairs. */
    private static double slope(List<Double> values) {
        List<Double> slopes = new ArrayList<>();
        for (int later = 1; later < values.size(); later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                slopes.add((values.get(later) - values.get(earlier)) / (later - earlier));
            }
        }
        slopes.sort(Double::compare);
        int middle = slopes.size() / 2;
        return slopes.size() % 2 == 1 ? slopes.get(middle) : (slopes.get(middle - 1) + slopes.get(middle)) / 2;
    }
}
