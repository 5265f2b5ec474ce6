package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The results as sections of a Markdown document, shorter than on the page. */
final class MarkdownReport {
    private final ResultFile results;
    private final List<PublishedRow> all;
    private final PublishedTables published;

    MarkdownReport(ResultFile results, List<PublishedRow> published) {
        this.results = results;
        this.all = List.copyOf(published);
        this.published = new PublishedTables(published, results);
    }

    /**
     * Returns the document with the results between its marks.
     *
     * @throws IllegalArgumentException if the document lacks a mark, contains it twice, or contains the marks in the
     *     wrong order
     */
    String insertedInto(String document) {
        return new MarkedSection("benchmarks").insertedInto(document, text());
    }

    private String text() {
        return Stream.of(
                        Stream.of(circumstances(), PublishedTables.NOTE),
                        Stream.of(PublishedDocument.values()).map(this::document),
                        slower(),
                        unsteady(),
                        Stream.of("### All results"),
                        new ResultTables(results).brief().stream().map(MarkdownReport::table))
                .flatMap(sections -> sections)
                .collect(joining("\n\n"));
    }

    private String circumstances() {
        Optional<Run> latest = results.runs().stream().findFirst();
        String facts = latest.stream()
                .flatMap(run -> run.circumstances().entrySet().stream())
                .map(fact -> "%s %s".formatted(fact.getKey(), fact.getValue()))
                .collect(joining("; "));
        return latest.isEmpty()
                ? "Nothing was measured."
                : "Measured with %s. The latest of %d runs: %s."
                        .formatted(results.servers(), results.runs().size(), facts);
    }

    private Stream<String> slower() {
        Table rows = new SlowerRows(all, results).table();
        return Stream.of("### Slower than published", rows.rows().isEmpty() ? "None." : rows.markdown());
    }

    private Stream<String> unsteady() {
        Table rows = new ResultTables(results).unsteady();
        return Stream.of("### Unsteady rows", Report.STEADY, rows.rows().isEmpty() ? "None." : rows.markdown());
    }

    private String document(PublishedDocument document) {
        return Stream.concat(
                        Stream.of("### " + document.title(), document.source() + "."),
                        published.brief(document).stream().map(MarkdownReport::table))
                .collect(joining("\n\n"));
    }

    static String table(Table table) {
        return "**%s**\n\n%s".formatted(table.caption(), table.markdown());
    }
}
