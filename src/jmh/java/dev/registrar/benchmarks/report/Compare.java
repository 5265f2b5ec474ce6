package dev.registrar.benchmarks.report;

import java.nio.file.Path;
import java.util.Map;

/** Prints the rows that two files of results have in common, as a table in Markdown. */
public final class Compare {
    private Compare() {}

    /** Takes the two files, also in one argument. */
    public static void main(String... arguments) {
        String[] files = String.join(" ", arguments).strip().split("\\s+", -1);
        if (files.length != 2) {
            throw new IllegalArgumentException("Usage: Compare <before.json> <after.json>");
        }
        System.out.println(table(Results.read(Path.of(files[0])), Results.read(Path.of(files[1])))
                .strip());
    }

    static String table(Results before, Results after) {
        StringBuilder table = new StringBuilder(
                "| row | before, calls/s: median (spread) | after | after ÷ before |\n|---|---|---|---|\n");
        Map<String, Measured> later = after.rows();
        before.rows().forEach((row, measured) -> {
            Measured other = later.get(row);
            if (other != null) {
                table.append("| %s | %s | %s | %s |%n"
                        .formatted(
                                row,
                                measured.spread(),
                                other.spread(),
                                Comparison.of(other, measured).text()));
            }
        });
        return table.toString();
    }
}
