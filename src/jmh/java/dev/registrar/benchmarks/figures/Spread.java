package dev.registrar.benchmarks.figures;

import java.util.List;
import java.util.Locale;

/**
 * The value of a reading in each round.
 *
 * @param runs one or more, in the order of the rounds
 */
record Spread(String name, List<Double> runs) {
    Spread {
        runs = List.copyOf(runs);
    }

    double median() {
        return median(runs);
    }

    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }

    double least() {
        return runs.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    double most() {
        return runs.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    String text(String unit) {
        return "%s %s (%s–%s)".formatted(text(median()), unit, text(least()), text(most()));
    }

    /** Returns the value with three significant digits, and with all digits before the decimal point. */
    static String text(double value) {
        double size = Math.abs(value);
        int decimals = size >= 100 ? 0 : size >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
