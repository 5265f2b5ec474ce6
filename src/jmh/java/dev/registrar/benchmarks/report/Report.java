package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.toCollection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Writes the page on the results, and updates their section in a document, between {@code <!-- benchmarks -->} and
 * {@code <!-- /benchmarks -->}.
 */
public final class Report {
    /** What a figure is. */
    static final String STEADY =
            "A row is steady if its iterations have no trend (Mann and Kendall, 5 %, and a change of at least a tenth) and"
                    + " half of their 99.9 % confidence interval is below a quarter of their mean. A row that is not"
                    + " steady is measured again for twice as long, twice at most. If it still is not, it is marked, and"
                    + " neither drawn nor compared.";

    private Report() {}

    /** Takes the file of results, the page to write and the Markdown document to update; ignores further arguments. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 3) {
            throw new IllegalArgumentException("Usage: Report <results.json> <page.html> <document.md>");
        }
        write(Path.of(arguments[0]), Path.of(arguments[1]), Path.of(arguments[2]));
    }

    /**
     * Writes the page and updates the document.
     *
     * @throws IllegalArgumentException if the document lacks the marks; nothing is written then
     */
    public static void write(Path resultFile, Path page, Path document) throws IOException {
        String changed = new MarkdownReport(ResultFile.read(resultFile), PublishedRow.all())
                .insertedInto(Files.readString(document));
        write(resultFile, page);
        Files.writeString(document, changed);
    }

    /** Writes the page. */
    public static void write(Path resultFile, Path page) throws IOException {
        Files.writeString(page, new HtmlReport(ResultFile.read(resultFile), PublishedRow.all()).text());
    }

    /** Returns the rows that the page shows in its charts or beside published rows. */
    public static SortedSet<RowId> rows() {
        ResultFile nothing = new ResultFile(List.of());
        return Stream.concat(
                        PublishedRow.all().stream().flatMap(row -> row.rows().stream()),
                        new Charts(nothing).all().stream().flatMap(chart -> chart.missing().stream()))
                .collect(toCollection(TreeSet::new));
    }
}
