package dev.registrar.benchmarks.report;

import static dev.registrar.benchmarks.report.Table.escape;
import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;

/**
 * A page in one file, with its style sheet, the library that draws its charts, and the script that calls the library.
 * Its content security policy keeps the page from loading anything else.
 *
 * @param introduction plain text
 */
record HtmlPage(String title, String introduction, List<Section> sections) {
    private static final String STYLE = "report.css";
    private static final String SCRIPT = "charts.js";

    /** @param content HTML */
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
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'" />
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
                <script>//<![CDATA[
                %6$s
                //]]></script>
                <script>//<![CDATA[
                %7$s
                //]]></script>
                </body>
                </html>
                """.formatted(
                        escape(title),
                        resource(STYLE),
                        escape(introduction),
                        sections.stream().map(Section::link).collect(joining("\n")),
                        sections.stream().map(Section::html).collect(joining("\n")),
                        library(),
                        resource(SCRIPT));
    }

    static String tables(List<Table> tables) {
        return tables.stream().map(Table::html).collect(joining("\n"));
    }

    /** Returns figures with charts, which stand side by side on a wide page. */
    static String charts(List<Chart> charts) {
        return charts.stream().map(Chart::html).collect(joining("\n", "<div class=\"charts\">\n", "\n</div>"));
    }

    /** Returns the library with its licence, and without its reference to a source map, since the page has none. */
    private static String library() {
        Properties artifact = new Properties();
        try {
            artifact.load(new StringReader(resource("/META-INF/maven/org.webjars.npm/chart.js/pom.properties")));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        String folder = "/META-INF/resources/webjars/chart.js/%s/".formatted(artifact.getProperty("version"));
        return """
                /*
                %s*/
                %s""".formatted(
                        resource(folder + "LICENSE.md"),
                        resource(folder + "dist/chart.umd.min.js").replaceFirst("//# sourceMappingURL=.*", ""));
    }

    private static String resource(String name) {
        try (InputStream resource = HtmlPage.class.getResourceAsStream(name)) {
            if (resource == null) {
                throw new IllegalStateException("No resource " + name);
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException("Cannot read " + name, failure);
        }
    }
}
