package dev.registrar.benchmarks.report;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.registrar.eventstore.KebabCase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A row that another store's document published.
 *
 * @param figure the value as printed
 * @param memory the bytes of an operation and its allocations, as printed; may be empty
 * @param actual what was really measured: a value, or two with two points between them; may be empty
 * @param unit of the actual value
 * @param perCall how many of the unit a call of ours does: its events, or 1
 * @param remark why the actual value differs from the printed one, or another explanation; may be empty
 * @param equivalents rows that do what was really measured
 * @param namesakes rows that do what the name says, if something else was measured
 */
public record Published(
        Document document,
        String table,
        String name,
        String figure,
        String memory,
        String actual,
        String unit,
        double perCall,
        String remark,
        List<String> equivalents,
        List<String> namesakes) {

    /** The documents. */
    enum Document {
        GO_CRABLET_LOCAL(
                "go-crablet, one client",
                "docs/performance-local.md of go-crablet, 30 August 2025 (commit 734010a): Go, PostgreSQL 14.19, Apple"
                        + " M1 Pro"),
        GO_CRABLET_CONCURRENT(
                "go-crablet, many clients",
                "docs/performance-local.md of go-crablet, 31 August 2025 (commit 33a66e3): Go, PostgreSQL 14.19, Apple"
                        + " M1 Pro"),
        GO_CRABLET_CONTAINER(
                "go-crablet and its web application, in containers",
                "docs/benchmarks.md of go-crablet, July 2025 (commit 674537c): Go, PostgreSQL 17.5 in Docker with 4"
                        + " processors and 2 GB, Apple M1 Pro"),
        OPOSSUM(
                "Opossum",
                "docs/benchmarking/results/phase-2-results-analysis.md of Opossum, February 2026 (commit a599f2f): .NET,"
                        + " an event store in files"),
        PG_PARALLEL(
                "pg-parallel",
                "docs/performance-comparison.md of pg-parallel, August 2025 (commit 9236f63): Node.js, PostgreSQL, Apple"
                        + " M1");

        private final String title;
        private final String source;

        Document(String title, String source) {
            this.title = title;
            this.source = source;
        }

        public String id() {
            return KebabCase.of(this);
        }

        public String title() {
            return title;
        }

        public String source() {
            return source;
        }
    }

    /** Returns all published rows, in the order of the documents. */
    static List<Published> all() {
        return records("published-rows.csv")
                .map(record -> new Published(
                        KebabCase.parse(Document.class, record.getField("document")),
                        record.getField("table"),
                        record.getField("name"),
                        record.getField("figure"),
                        record.getField("memory"),
                        record.getField("actual"),
                        record.getField("unit"),
                        Double.parseDouble(record.getField("perCall")),
                        record.getField("remark"),
                        ids(record.getField("equivalents")),
                        ids(record.getField("namesakes"))))
                .toList();
    }

    /** Returns why rows are slower than published, by their ids. */
    static Map<String, String> reasons() {
        return records("slower-rows.csv")
                .flatMap(record ->
                        ids(record.getField("rows")).stream().map(row -> Map.entry(row, record.getField("reason"))))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Returns the ids of the rows that answer the published rows of this name. */
    public static Set<String> rowsOf(String name) {
        return all().stream()
                .filter(row -> row.name().equals(name))
                .flatMap(row -> row.rows().stream())
                .collect(Collectors.toSet());
    }

    /** Returns the equivalents and the namesakes. */
    List<String> rows() {
        return Stream.of(equivalents, namesakes).flatMap(List::stream).toList();
    }

    boolean isRate() {
        return !unit.startsWith("B");
    }

    /** Returns the actual value, or the least and the greatest one; nothing if there is none or it is not a rate. */
    List<Double> rates() {
        return actual.isEmpty() || !isRate()
                ? List.of()
                : Arrays.stream(actual.split("\\.\\.")).map(Double::valueOf).toList();
    }

    private static List<String> ids(String text) {
        return Arrays.stream(text.split(";"))
                .map(String::strip)
                .filter(id -> !id.isEmpty())
                .toList();
    }

    private static Stream<NamedCsvRecord> records(String name) {
        InputStream file = Published.class.getResourceAsStream(name);
        if (file == null) {
            throw new IllegalStateException("No resource " + name);
        }
        try (CsvReader<NamedCsvRecord> records = CsvReader.builder().ofNamedCsvRecord(file)) {
            return records.stream().toList().stream();
        } catch (IOException failure) {
            throw new UncheckedIOException("Cannot read " + name, failure);
        }
    }
}
