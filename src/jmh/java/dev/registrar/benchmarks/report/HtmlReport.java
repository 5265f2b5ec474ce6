package dev.registrar.benchmarks.report;

import static dev.registrar.benchmarks.report.Table.escape;
import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** The results as one page, which loads nothing from elsewhere. */
final class HtmlReport {
    private static final String STYLE = "report.css";

    private final ResultFile results;
    private final PublishedTables published;

    HtmlReport(ResultFile results, List<PublishedRow> published) {
        this.results = results;
        this.published = new PublishedTables(published, results);
    }

    String text() {
        return """
                <!DOCTYPE html>
                <html xmlns="http://www.w3.org/1999/xhtml" lang="en">
                <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <title>Registrar: benchmarks</title>
                <style>
                %s</style>
                </head>
                <body>
                <header>
                <h1>Registrar: benchmarks</h1>
                <p>What the event store and the enrollment on it do on one machine, and beside that what others printed of
                theirs. %s</p>
                <nav aria-label="Contents">
                <ul>
                %s
                </ul>
                </nav>
                </header>
                <main>
                %s
                </main>
                </body>
                </html>
                """.formatted(
                        style(),
                        PublishedTables.NOTE,
                        contents(),
                        Stream.of(circumstances(), charts(), documents(), all()).collect(joining("\n")));
    }

    private static String contents() {
        return Stream.concat(
                        Stream.concat(
                                Stream.of(link("circumstances", "Circumstances"), link("charts", "Charts")),
                                Stream.of(PublishedDocument.values())
                                        .map(document -> link(document.id(), document.title()))),
                        Stream.of(link("all", "All results")))
                .collect(joining("\n"));
    }

    private static String link(String id, String text) {
        return "<li><a href=\"#%s\">%s</a></li>".formatted(id, escape(text));
    }

    private static String section(String id, String title, String content) {
        return """
                <section id="%s">
                <h2>%s</h2>
                %s
                </section>""".formatted(id, escape(title), content);
    }

    private String circumstances() {
        String note =
                "<p>Rates are means over the iterations, with half of their 99.9 % confidence interval (Student's t).</p>";
        String runs = results.runs().stream()
                .map(run -> circumstances(run, run.equals(results.runs().getFirst())))
                .collect(joining("\n"));
        return section("circumstances", "Circumstances", note + "\n" + runs);
    }

    private static String circumstances(Run run, boolean open) {
        String facts = run.circumstances().entrySet().stream()
                .map(fact -> "<dt>%s</dt><dd>%s</dd>".formatted(escape(fact.getKey()), escape(fact.getValue())))
                .collect(joining("\n"));
        return """
                <details%s>
                <summary>%s, commit %s: %d rows</summary>
                <dl>
                %s
                </dl>
                </details>""".formatted(
                        open ? " open=\"open\"" : "",
                        escape(run.at()),
                        escape(run.commit()),
                        run.results().size(),
                        facts);
    }

    private String charts() {
        SvgCharts drawings = new SvgCharts();
        return section(
                "charts",
                "Charts",
                new Charts(results)
                        .all().stream()
                                .map(chart -> figure(chart, drawings))
                                .collect(joining("\n", "<div class=\"charts\">\n", "\n</div>")));
    }

    private static String figure(Chart chart, SvgCharts drawings) {
        String missing = chart.missing().stream()
                .map(row -> "<li><code>%s</code></li>".formatted(escape(row.toString())))
                .collect(joining());
        return """
                <figure>
                <figcaption>%s</figcaption>
                %s
                %s
                </figure>""".formatted(
                        escape(chart.title()),
                        chart.isEmpty() ? "<p>%s</p>".formatted(Numbers.NOT_MEASURED) : drawings.svg(chart),
                        missing.isEmpty()
                                ? ""
                                : "<details><summary>%d rows %s</summary><ul>%s</ul></details>"
                                        .formatted(chart.missing().size(), Numbers.NOT_MEASURED, missing));
    }

    private String documents() {
        return Stream.of(PublishedDocument.values())
                .map(document -> section(
                        document.id(),
                        document.title(),
                        "<p>%s</p>\n%s".formatted(escape(document.source()), tables(published.full(document)))))
                .collect(joining("\n"));
    }

    private String all() {
        return section("all", "All results", tables(new ResultTables(results).full()));
    }

    private static String tables(List<Table> tables) {
        return tables.stream().map(Table::html).collect(joining("\n"));
    }

    private static String style() {
        try (InputStream style = HtmlReport.class.getResourceAsStream(STYLE)) {
            if (style == null) {
                throw new IllegalStateException("No resource " + STYLE);
            }
            return new String(style.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException("Cannot read " + STYLE, failure);
        }
    }
}
