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
 * A figure of a published benchmark: what it says, what it really was, and which rows of the suite answer it.
 *
 * @param table of the document
 * @param name as printed
 * @param figure as printed
 * @param truth what was really measured; null where there is nothing that a figure could be compared with
 * @param unit of the truth
 * @param remark why the truth is not what is printed, or what else to know of it; may be empty
 * @param answers rows of the suite that do what was really measured; may be empty
 * @param namesakes rows of the suite that do what the name says, where something else was measured; may be empty
 */
record PublishedRow(
        PublishedDocument document,
        String table,
        String name,
        String figure,
        @Nullable Range truth,
        Unit unit,
        String remark,
        List<RowId> answers,
        List<RowId> namesakes) {
    private static final String CATALOGUE = "published-rows.csv";
    private static final String AND = ";";

    PublishedRow {
        answers = List.copyOf(answers);
        namesakes = List.copyOf(namesakes);
    }

    /** All of them, document by document and table by table as they are printed. */
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

    /** The answers and the namesakes. */
    List<RowId> rows() {
        return Stream.concat(answers.stream(), namesakes.stream()).toList();
    }

    /** Empty where there is none. */
    String truthText() {
        return truth == null ? "" : "%s %s".formatted(truth, unit.symbol());
    }

    private static PublishedRow of(NamedCsvRecord line) {
        String truth = line.getField("truth");
        return new PublishedRow(
                PublishedDocument.ofId(line.getField("document")),
                line.getField("table"),
                line.getField("name"),
                line.getField("figure"),
                truth.isEmpty() ? null : Range.parse(truth),
                Unit.ofSymbol(line.getField("unit")),
                line.getField("remark"),
                rows(line.getField("answers")),
                rows(line.getField("namesakes")));
    }

    private static List<RowId> rows(String text) {
        return Stream.of(text.split(AND))
                .filter(row -> !row.isBlank())
                .map(row -> RowId.parse(row.strip()))
                .toList();
    }
}
