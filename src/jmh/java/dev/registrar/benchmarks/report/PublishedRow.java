package dev.registrar.benchmarks.report;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A figure of a published benchmark, what was really measured, and the rows of the suite that measure the same.
 *
 * @param table the title of its table
 * @param name as printed
 * @param figure as printed
 * @param memory the bytes of an operation and its allocations, as printed; may be empty
 * @param actual the value that was really measured; null if there is no comparable value
 * @param unit the unit of the actual value
 * @param remark why the actual value differs from the printed one, or another explanation; may be empty
 * @param equivalents rows of the suite that do what was really measured; may be empty
 * @param namesakes rows of the suite that do what the name says if something else was measured; may be empty
 * @param simulation the load test that answers a figure over HTTP; may be empty
 */
record PublishedRow(
        PublishedDocument document,
        String table,
        String name,
        String figure,
        String memory,
        @Nullable Range actual,
        Unit unit,
        String remark,
        List<RowId> equivalents,
        List<RowId> namesakes,
        String simulation) {
    private static final String CATALOGUE = "published-rows.csv";
    private static final String SEPARATOR = ";";

    PublishedRow {
        equivalents = List.copyOf(equivalents);
        namesakes = List.copyOf(namesakes);
    }

    /** Returns all published rows, in the order of the documents. */
    static List<PublishedRow> all() {
        InputStream catalogue = PublishedRow.class.getResourceAsStream(CATALOGUE);
        if (catalogue == null) {
            throw new IllegalStateException("No resource " + CATALOGUE);
        }
        try (CsvReader<NamedCsvRecord> records = CsvReader.builder().ofNamedCsvRecord(catalogue)) {
            return records.stream().map(PublishedRow::of).toList();
        } catch (IOException failure) {
            throw new UncheckedIOException("Cannot read " + CATALOGUE, failure);
        }
    }

    /** Returns the equivalents and the namesakes. */
    List<RowId> rows() {
        return Stream.concat(equivalents.stream(), namesakes.stream()).toList();
    }

    /** Returns the actual value with its unit; empty if there is none. */
    String actualText() {
        return actual == null ? "" : "%s %s".formatted(actual, unit.symbol());
    }

    private static PublishedRow of(NamedCsvRecord line) {
        String actual = line.getField("actual");
        return new PublishedRow(
                PublishedDocument.ofId(line.getField("document")),
                line.getField("table"),
                line.getField("name"),
                line.getField("figure"),
                line.getField("memory"),
                actual.isEmpty() ? null : Range.parse(actual),
                Unit.ofSymbol(line.getField("unit")),
                line.getField("remark"),
                rows(line.getField("equivalents")),
                rows(line.getField("namesakes")),
                line.getField("simulation"));
    }

    /** Parses the ids of rows, separated by semicolons. */
    static List<RowId> rows(String text) {
        return Stream.of(text.split(SEPARATOR))
                .filter(row -> !row.isBlank())
                .map(row -> RowId.parse(row.strip()))
                .toList();
    }
}
