package dev.registrar.benchmarks.report;

import static dev.registrar.benchmarks.report.MadeUpResults.circumstances;
import static dev.registrar.benchmarks.report.MadeUpResults.result;
import static dev.registrar.benchmarks.report.MadeUpResults.steady;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.benchmarks.suite.Suite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** The page and the document with the results. */
class ReportTest extends ReportFixture {
    @Test
    void the_page_is_well_formed_and_loads_nothing() throws Exception {
        MadeUpResults.ofAll(Suite.rows()).write(results);

        report();

        Document html = parsed(Files.readString(page));
        assertThat(Stream.of("link", "img", "image", "iframe", "object", "embed")
                        .flatMap(name -> elements(html, name)))
                .isEmpty();
        assertThat(attributes(html))
                .filteredOn(attribute -> !attribute.startsWith("xmlns"))
                .noneMatch(attribute -> attribute.contains("://") || attribute.startsWith("src="))
                .contains(
                        "content=default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'",
                        "http-equiv=Content-Security-Policy");
        assertThat(elements(html, "style").map(Element::getTextContent))
                .noneMatch(style -> style.contains("@import") || style.contains("url("));
    }

    @Test
    void the_page_contains_the_library_and_the_script_that_draws() throws Exception {
        MadeUpResults.ofAll(Suite.rows()).write(results);

        report();

        String text = Files.readString(page);
        // HTML ends a script at the first of these, whatever XML says.
        assertThat(text.split("</script", -1)).hasSize(3);
        assertThat(elements(parsed(text), "script").map(Element::getTextContent))
                .satisfiesExactly(
                        library -> assertThat(library)
                                .contains("Chart.js v", "The MIT License (MIT)")
                                .doesNotContain("sourceMappingURL"),
                        script -> assertThat(script).contains("new Chart(canvas, "));
    }

    @Test
    void ids_on_the_page_are_unique_and_every_link_finds_its_id() throws Exception {
        MadeUpResults.ofAll(Suite.rows()).write(results);

        report();

        List<String> attributes = attributes(parsed(Files.readString(page)));
        List<String> ids = valuesOf(attributes, "id=");
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(valuesOf(attributes, "href=#")).isNotEmpty().isSubsetOf(ids);
    }

    @Test
    void every_chart_has_a_title_and_a_table_of_its_numbers() throws Exception {
        MadeUpResults.ofAll(Suite.rows()).write(results);

        report();

        Document html = parsed(Files.readString(page));
        assertThat(elements(html, "figure")).hasSize(8).allSatisfy(figure -> {
            assertThat(elements(figure, "figcaption").map(Element::getTextContent))
                    .hasSize(1)
                    .containsExactlyElementsOf(elements(figure, "caption")
                            .map(Element::getTextContent)
                            .toList());
            assertThat(elements(figure, "td").map(Element::getTextContent))
                    .isNotEmpty()
                    .doesNotContain("not measured");
        });
        assertThat(elements(html, "th")).allMatch(header -> header.hasAttribute("scope"));
        assertThat(elements(html, "table"))
                .allMatch(table -> elements(table, "caption").count() == 1);
    }

    @Test
    void every_colour_of_the_script_is_defined_for_light_and_for_dark() throws Exception {
        MadeUpResults.ofAll(Suite.rows()).write(results);

        report();

        Document html = parsed(Files.readString(page));
        String style = elements(html, "style").findFirst().orElseThrow().getTextContent();
        String script = elements(html, "script")
                .reduce((first, last) -> last)
                .orElseThrow()
                .getTextContent();
        assertThat(Pattern.compile("\"(--[a-z0-9-]+)\"")
                        .matcher(script)
                        .results()
                        .map(match -> match.group(1)))
                .hasSize(8)
                .allSatisfy(
                        colour -> assertThat(style.split(colour + ": #", -1)).hasSize(3));
    }

    @Test
    void the_table_of_a_chart_has_the_numbers_of_the_results() throws Exception {
        new ResultFile(
                        circumstances("abc1234"),
                        List.of(
                                result(
                                        "append/concurrent dataset=small events=1 callers=1",
                                        990.0,
                                        1_010.0,
                                        1_000.0,
                                        1_010.0,
                                        990.0),
                                steady("append/concurrent dataset=small events=1 callers=100", 9_000)))
                .write(results);

        report();

        List<Element> figures =
                elements(parsed(Files.readString(page)), "figure").toList();
        assertThat(texts(figures.getFirst(), "tr"))
                .startsWith("calls/s by callers at a time110100", "append1,000 ± 39not measured9,000 ± 0");
        assertThat(texts(figures.get(3), "tr"))
                .startsWith(
                        "µs by callers at a time110100",
                        "append p50311not measured311",
                        "append p991,250not measured1,250");
        assertThat(texts(figures.getFirst(), "summary")).containsExactly("13 rows not measured");
        assertThat(texts(figures.getFirst(), "li"))
                .hasSize(13)
                .contains("append/concurrent dataset=small events=1 callers=10");
    }

    @Test
    void the_page_contains_the_file_of_results() throws Exception {
        MadeUpResults.ofAll(Suite.rows()).write(results);

        report();

        assertThat(savedFrom(page)).isEqualTo(Files.readString(results));
    }

    @Test
    void the_committed_page_shows_the_committed_results() throws Exception {
        Path committed = Path.of("docs/benchmarks");

        Report.write(committed.resolve("results.json"), page);

        assertThat(savedFrom(committed.resolve("index.html")))
                .isEqualTo(Files.readString(committed.resolve("results.json")));
        assertThat(texts(committed.resolve("index.html"), "table")).isEqualTo(texts(page, "table"));
    }

    @Test
    void markup_in_the_results_is_shown_as_text() throws Exception {
        String markup = "</script><script>alert('1')</script>&\"<b>";
        RowId row = new RowId("append/single", new TreeMap<>(Map.of("dataset", markup)), 1);
        new ResultFile(
                        Map.of("commit", markup, markup, "machine"),
                        List.of(new RowResult(
                                row.row(), row.parameters(), 1, 1, Estimate.of(List.of(5.0)), 7, 8, 9, 10, 1)))
                .write(results);

        report();

        Document html = parsed(Files.readString(page));
        assertThat(Files.readString(page).split("<script", -1)).hasSize(3);
        assertThat(texts(html.getDocumentElement(), "td")).contains("dataset=" + markup, markup);
        assertThat(texts(html.getDocumentElement(), "dt")).contains(markup);
    }

    @Test
    void circumstances_are_copied_to_the_page_and_the_document() throws IOException {
        new ResultFile(circumstances("abc1234"), List.of()).write(results);

        report();

        assertThat(Files.readString(page)).contains("<dt>machine</dt><dd>2 processors &amp; 24 GB</dd>");
        assertThat(Files.readString(document)).contains("machine 2 processors & 24 GB");
    }

    @Test
    void only_the_text_between_the_marks_is_replaced() throws IOException {
        MadeUpResults.ofAll(Suite.rows()).write(results);

        report();
        String once = Files.readString(document);
        report();

        assertThat(once).startsWith(BEFORE + "\n").endsWith("\n" + AFTER).doesNotContain("old results");
        assertThat(Files.readString(document)).isEqualTo(once);
    }

    @Test
    void a_document_without_marks_is_an_error_and_nothing_is_written() throws IOException {
        MadeUpResults.ofAll(Suite.rows()).write(results);

        for (String unmarked : List.of("# Performance\n", BEFORE, AFTER, AFTER + BEFORE, BEFORE + BEFORE + AFTER)) {
            Files.writeString(document, unmarked);

            assertThatThrownBy(this::report)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("benchmarks -->");
            assertThat(Files.readString(document)).isEqualTo(unmarked);
            assertThat(page).doesNotExist();
        }
    }
}
