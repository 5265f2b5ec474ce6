package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.toCollection;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The names of published rows, by which a reader of their documents finds the rows of ours that answer them. */
public final class PublishedNames {
    private PublishedNames() {}

    /**
     * A published row that was found.
     *
     * @param label document, table and name
     * @param rows our rows that measure the same, and those that do what the name says; empty if a simulation does
     * @param simulation the load test that answers it, or empty
     */
    public record Found(String label, List<RowId> rows, String simulation) {
        public Found {
            rows = List.copyOf(rows);
        }
    }

    /**
     * Returns the published rows with a name, in any document and table. A table's title and a colon may precede it.
     */
    public static List<Found> named(String text) {
        return all(row -> row.name().equalsIgnoreCase(text) || full(row).equalsIgnoreCase(text));
    }

    /** Returns the published rows whose name, after its table's title and a colon, contains a match. */
    public static List<Found> matching(Pattern pattern) {
        return all(row -> pattern.matcher(full(row)).find());
    }

    /** Returns the names, and the names with the titles of their tables. */
    public static SortedSet<String> all() {
        return PublishedRow.all().stream()
                .flatMap(row -> Stream.of(row.name(), full(row)))
                .collect(toCollection(TreeSet::new));
    }

    private static List<Found> all(Predicate<PublishedRow> condition) {
        return PublishedRow.all().stream()
                .filter(condition)
                .map(row -> new Found(row.document().title() + ": " + full(row), row.rows(), row.simulation()))
                .toList();
    }

    private static String full(PublishedRow row) {
        return "%s: %s".formatted(row.table(), row.name());
    }
}
