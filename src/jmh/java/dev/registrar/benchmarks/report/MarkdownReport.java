package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The results as sections of a document in Markdown, in shorter form than on the page. */
final class MarkdownReport {
    static final String BEGIN = "<!-- benchmarks -->";
    static final String END = "<!-- /benchmarks -->";

    private final ResultFile results;
    private final PublishedTables published;

    MarkdownReport(ResultFile results, List<PublishedRow> published) {
        this.results = results;
        this.published = new PublishedTables(published, results);
    }

    /**
     * The document with the results in place of what stood between its marks.
     *
     * @throws IllegalArgumentException if the document lacks a mark, or has it twice, or has them in the wrong order
     */
    String insertedInto(String document) {
        int begin = only(document, BEGIN);
        int end = only(document, END);
        if (end < begin) {
            throw new IllegalArgumentException("The document has '%s' before '%s'".formatted(END, BEGIN));
        }
        return document.substring(0, begin + BEGIN.length()) + "\n" + text() + "\n" + document.substring(end);
    }

    private static int only(String document, String mark) {
        int position = document.indexOf(mark);
        if (position < 0) {
            throw new IllegalArgumentException("The document has no line '%s': the results stand between '%s' and '%s'"
                    .formatted(mark, BEGIN, END));
        }
        if (document.indexOf(mark, position + 1) >= 0) {
            throw new IllegalArgumentException("The document has '%s' more than once".formatted(mark));
        }
        return position;
    }

    private String text() {
        return Stream.of(
                        Stream.of(circumstances(), PublishedTables.NOTE),
                        Stream.of(PublishedDocument.values()).map(this::document),
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
                : "The latest of %d runs: %s.".formatted(results.runs().size(), facts);
    }

    private String document(PublishedDocument document) {
        return Stream.concat(
                        Stream.of("### " + document.title(), document.source() + "."),
                        published.brief(document).stream().map(MarkdownReport::table))
                .collect(joining("\n\n"));
    }

    private static String table(Table table) {
        return "**%s**\n\n%s".formatted(table.caption(), table.markdown());
    }
}
