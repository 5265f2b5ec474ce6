package dev.registrar.benchmarks.report;

import static dev.registrar.benchmarks.report.Table.escape;
import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A page that loads nothing from elsewhere.
 *
 * @param introduction as plain text
 */
record HtmlPage(String title, String introduction, List<Section> sections) {
    private static final String STYLE = "report.css";

    /** @param content as HTML */
    record Section(String id, String title, String content) {
        private String html() {
            return """
                    <section id="%s">
                    <h2>%s</h2>
                    %s
                    </section>""".formatted(id, escape(title), content);
        }

        private String link() {
            return "<li><a href=\"#%s\">%s</a></li>".formatted(id, escape(title));
        }
    }

    HtmlPage {
        sections = List.copyOf(sections);
    }

    String text() {
        return """
                <!DOCTYPE html>
                <html xmlns="http://www.w3.org/1999/xhtml" lang="en">
                <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <title>%1$s</title>
                <style>
                %2$s</style>
                </head>
                <body>
                <header>
                <h1>%1$s</h1>
                <p>%3$s</p>
                <nav aria-label="Contents">
                <ul>
                %4$s
                </ul>
                </nav>
                </header>
                <main>
                %5$s
                </main>
                </body>
                </html>
                """.formatted(
                        escape(title),
                        style(),
                        escape(introduction),
                        sections.stream().map(Section::link).collect(joining("\n")),
                        sections.stream().map(Section::html).collect(joining("\n")));
    }

    static String tables(List<Table> tables) {
        return tables.stream().map(Table::html).collect(joining("\n"));
    }

    /** Charts side by side where there is room, each with the rows that it lacks. */
    static String charts(List<Chart> charts) {
        SvgCharts drawings = new SvgCharts();
        return charts.stream()
                .map(chart -> figure(chart, drawings))
                .collect(joining("\n", "<div class=\"charts\">\n", "\n</div>"));
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

    private static String style() {
        try (InputStream style = HtmlPage.class.getResourceAsStream(STYLE)) {
            if (style == null) {
                throw new IllegalStateException("No resource " + STYLE);
            }
            return new String(style.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException("Cannot read " + STYLE, failure);
        }
    }
}
