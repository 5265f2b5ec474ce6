package dev.registrar.benchmarks.report;

import java.util.List;

/** A picture of some of the results. */
sealed interface Chart {
    String title();

    /** What the axes are, for those who do not see them. */
    String description();

    /** The rows that it would show if they had been measured. */
    List<RowId> missing();

    /** Whether none of its rows has been measured. */
    boolean isEmpty();

    /**
     * A value at a place.
     *
     * @param error up and down from y; 0 for none that is shown
     */
    record Point(double x, double y, double error) {}

    /**
     * Some rows, along what tells them apart.
     *
     * @param dashed whether the line goes with the solid one before it and shares its colour
     */
    record Line(String name, boolean dashed, List<Point> points, List<RowId> missing) {
        public Line {
            points = List.copyOf(points);
            missing = List.copyOf(missing);
        }
    }

    /**
     * Values along something that grows.
     *
     * @param logarithmic whether the axis of the values is; the one across always is
     */
    record Lines(String title, String across, String value, boolean logarithmic, List<Line> lines) implements Chart {
        public Lines {
            lines = List.copyOf(lines);
        }

        @Override
        public String description() {
            return "%s against %s. Lines: %s."
                    .formatted(
                            value,
                            across,
                            String.join("; ", lines.stream().map(Line::name).toList()));
        }

        @Override
        public List<RowId> missing() {
            return lines.stream()
                    .flatMap(line -> line.missing().stream())
                    .distinct()
                    .toList();
        }

        @Override
        public boolean isEmpty() {
            return lines.stream().allMatch(line -> line.points().isEmpty());
        }
    }

    /** The value of a row. */
    record Dot(String name, double value) {}

    /** A value of each row, on a logarithmic axis. */
    record Dots(String title, String value, List<Dot> dots, List<RowId> missing) implements Chart {
        public Dots {
            dots = List.copyOf(dots);
            missing = List.copyOf(missing);
        }

        @Override
        public String description() {
            return "%s of: %s."
                    .formatted(
                            value,
                            String.join(
                                    "; ",
                                    dots.stream()
                                            .map(dot -> dot.name() + " " + Numbers.text(dot.value()))
                                            .toList()));
        }

        @Override
        public boolean isEmpty() {
            return dots.isEmpty();
        }
    }
}
