package dev.registrar.benchmarks.report;

import dev.registrar.benchmarks.report.Table.Cell;
import dev.registrar.benchmarks.report.Table.Column;
import java.util.Comparator;
import java.util.List;

/** A comparison of the rows that two files of results share. */
final class Comparison {
    /** Whether the confidence intervals of two estimates overlap. */
    enum Intervals {
        APART("apart"),
        OVERLAP("overlap"),
        /** An estimate has too few iterations for an interval. */
        UNKNOWN("unknown"),
        /** A result is not steady: its interval says nothing. */
        NOT_STEADY(Numbers.NOT_STEADY);

        private final String text;

        Intervals(String text) {
            this.text = text;
        }

        static Intervals of(RowResult before, RowResult after) {
            return before.isSteady() && after.isSteady()
                    ? of(before.callsPerSecond(), after.callsPerSecond())
                    : NOT_STEADY;
        }

        static Intervals of(Estimate before, Estimate after) {
            double errors = before.error() + after.error();
            if (Double.isNaN(errors)) {
                return UNKNOWN;
            }
            return Math.abs(after.value() - before.value()) <= errors ? OVERLAP : APART;
        }
    }

    private static final List<Column> COLUMNS = List.of(
            Column.words("Row"),
            Column.numbers("Before, calls/s"),
            Column.numbers("After, calls/s"),
            Column.numbers("After ÷ before"),
            Column.words("Intervals"));

    private final ResultFile before;
    private final ResultFile after;

    Comparison(ResultFile before, ResultFile after) {
        this.before = before;
        this.after = after;
    }

    /** Returns the rows of both files. */
    Table table() {
        List<List<Cell>> lines = before.results().stream()
                .sorted(Comparator.comparing(RowResult::id))
                .flatMap(old -> after.find(old.id()).map(now -> line(old, now)).stream())
                .toList();
        return new Table("Before and after", COLUMNS, lines);
    }

    List<RowId> onlyBefore() {
        return without(before, after);
    }

    List<RowId> onlyAfter() {
        return without(after, before);
    }

    private static List<Cell> line(RowResult before, RowResult after) {
        Estimate old = before.callsPerSecond();
        Estimate now = after.callsPerSecond();
        Intervals intervals = Intervals.of(before, after);
        boolean comparable = intervals != Intervals.NOT_STEADY && old.value() > 0;
        return List.of(
                Cell.of(before.id().toString()),
                Cell.of(Numbers.text(old)),
                Cell.of(Numbers.text(now)),
                Cell.of(comparable ? Numbers.text(now.value() / old.value()) : ""),
                Cell.of(intervals.text));
    }

    private static List<RowId> without(ResultFile these, ResultFile those) {
        return these.results().stream()
                .map(RowResult::id)
                .filter(row -> those.find(row).isEmpty())
                .sorted()
                .toList();
    }
}
