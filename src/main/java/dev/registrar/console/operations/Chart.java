package dev.registrar.console.operations;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * A small chart of a value over time, drawn as SVG.
 *
 * @param line the points of the line
 * @param area the points of the area below the line
 * @param label what the chart shows, in words
 * @param most the value at the top
 */
record Chart(String line, String area, String label, String most) {
    static final int WIDTH = 160;
    static final int HEIGHT = 32;
    private static final int MARGIN = 2;

    /**
     * A chart with room for a number of values, the latest at the right.
     *
     * @param values the earliest first; empty for an empty chart
     */
    static Chart of(List<Double> values, int room, String label) {
        double most = Math.max(
                1, values.stream().mapToDouble(Double::doubleValue).max().orElse(0));
        double step = (double) WIDTH / Math.max(1, room - 1);
        StringJoiner line = new StringJoiner(" ");
        for (int i = 0; i < values.size(); i++) {
            line.add(point(x(values.size() - 1 - i, step), values.get(i) / most));
        }
        String area = values.isEmpty()
                ? ""
                : "%s %s %s".formatted(point(x(values.size() - 1, step), 0), line, point(WIDTH, 0));
        return new Chart(line.toString(), area, label, Numbers.count(Math.round(most)));
    }

    private static double x(int fromTheEnd, double step) {
        return WIDTH - fromTheEnd * step;
    }

    private static String point(double x, double part) {
        return String.format(Locale.ENGLISH, "%.1f,%.1f", x, HEIGHT - MARGIN - part * (HEIGHT - 2 * MARGIN));
    }
}
