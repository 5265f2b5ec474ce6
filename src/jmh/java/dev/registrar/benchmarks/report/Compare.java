package dev.registrar.benchmarks.report;

import java.nio.file.Path;
import java.util.List;

/** Prints what two files of results say of the same rows, and whether the difference is more than the error. */
public final class Compare {
    private Compare() {}

    /** Takes the file of results from before and the one from after; more is ignored. */
    public static void main(String[] arguments) {
        if (arguments.length < 2) {
            throw new IllegalArgumentException("Usage: Compare <before.json> <after.json>");
        }
        System.out.print(text(Path.of(arguments[0]), Path.of(arguments[1])));
    }

    static String text(Path before, Path after) {
        Comparison comparison = new Comparison(ResultFile.read(before), ResultFile.read(after));
        return comparison.table().markdown()
                + "\n"
                + only(before, comparison.onlyBefore())
                + only(after, comparison.onlyAfter());
    }

    private static String only(Path file, List<RowId> rows) {
        StringBuilder text = new StringBuilder();
        if (!rows.isEmpty()) {
            text.append("\nOnly in %s:\n".formatted(file));
            rows.forEach(row -> text.append("  ").append(row).append('\n'));
        }
        return text.toString();
    }
}
