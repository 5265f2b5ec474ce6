package dev.registrar.benchmarks.report;

import dev.registrar.benchmarks.Setting;
import java.nio.file.Path;
import java.util.List;

/** Prints a comparison of two files of results, row by row, and whether the difference is larger than the error. */
public final class Compare {
    private Compare() {}

    /** Takes the file of results before a change and the file after it; ignores further arguments. */
    public static void main(String... given) {
        String[] arguments = Setting.separate(given);
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
