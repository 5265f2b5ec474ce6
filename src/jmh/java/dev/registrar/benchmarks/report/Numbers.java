package dev.registrar.benchmarks.report;

import java.util.Locale;

/** Formats numbers with three significant digits, and with all digits before the decimal point. */
final class Numbers {
    static final String NOT_MEASURED = "not measured";
    /** In the place of the number of a row that is not steady. */
    static final String NOT_STEADY = "not steady";
    /** In the place of the number of a row that another run measured than the other rows of a chart. */
    static final String OTHER_RUN = "of another run";

    /** The end of a sentence with a ratio whose error interval includes 1. */
    static final String NO_DIFFERENCE = "; the interval includes 1, so no difference is shown.";

    private Numbers() {}

    static String text(double value) {
        return Double.isNaN(value) ? NOT_MEASURED : text(value, decimals(value));
    }

    /** Returns the value and its error with the same number of decimals. */
    static String text(Estimate estimate) {
        int decimals = decimals(estimate.value());
        String error = Double.isNaN(estimate.error()) ? "?" : text(estimate.error(), decimals);
        return text(estimate.value(), decimals) + " ± " + error;
    }

    private static String text(double value, int decimals) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    private static int decimals(double value) {
        double size = Math.abs(value);
        return size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 || size == 0 ? 2 : 3;
    }
}
