package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.web.util.HtmlUtils;

/** Pages in one file that load nothing, and their tables. */
final class Html {
    private static final String STYLE = "report.css";

    private Html() {}

    /**
     * A cell of a table.
     *
     * @param detail in smaller print; may be empty
     * @param share the length of the bar below it, 0 to 1; NaN without a bar
     */
    record Cell(String text, String detail, double share) {
        static Cell of(String text) {
            return new Cell(text, "", Double.NaN);
        }

        static Cell of(double value) {
            return of(Measured.text(value));
        }

        private String html(String element) {
            String style = text.matches("[0-9.,]+.*") ? " class=\"n\"" : "";
            String small = detail.isEmpty() ? "" : "<small>%s</small>".formatted(escape(detail));
            String bar = Double.isNaN(share)
                    ? ""
                    : "<span class=\"bar\"><span style=\"width:%s%%\"></span></span>"
                            .formatted(Math.max(1, Math.round(share * 100)));
            return "<%1$s%2$s>%3$s%4$s%5$s</%1$s>".formatted(element, style, escape(text), small, bar);
        }
    }

    /** @param content HTML */
    static String page(String title, String introduction, String content) {
        return """
                <!DOCTYPE html>
                <html xmlns="http://www.w3.org/1999/xhtml" lang="en">
                <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
                <title>%1$s</title>
                <style>
                %2$s</style>
                </head>
                <body>
                <header>
                <h1>%1$s</h1>
                <p>%3$s</p>
                </header>
                <main>
                %4$s
                </main>
                </body>
                </html>
                """.formatted(escape(title), style(), escape(introduction), content);
    }

    /** @param content HTML */
    static String section(String id, String title, String content) {
        return "<section id=\"%s\">\n<h2>%s</h2>\n%s\n</section>".formatted(id, escape(title), content);
    }

    /**
     * Returns a table in a region that scrolls on a narrow page.
     *
     * @param rows each with a cell for each column, the row's name first
     */
    static String table(String caption, List<String> columns, List<List<Cell>> rows) {
        String head = columns.stream()
                .map(column -> "<th scope=\"col\">%s</th>".formatted(escape(column)))
                .collect(joining());
        String body = rows.stream()
                .map(row -> row.getFirst().html("th")
                        + row.stream().skip(1).map(cell -> cell.html("td")).collect(joining()))
                .collect(joining("</tr>\n<tr>", "<tr>", "</tr>"));
        return """
                <div class="table" role="group" aria-label="%1$s" tabindex="0">
                <table>
                <caption>%1$s</caption>
                <thead><tr>%2$s</tr></thead>
                <tbody>
                %3$s
                </tbody>
                </table>
                </div>""".formatted(escape(caption), head, body);
    }

    static String escape(String text) {
        return HtmlUtils.htmlEscape(text, "UTF-8");
    }

    private static String style() {
        try (InputStream style = Html.class.getResourceAsStream(STYLE)) {
            if (style == null) {
                throw new IllegalStateException("No resource " + STYLE);
            }
            return new String(style.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException("Cannot read " + STYLE, failure);
        }
    }
}
