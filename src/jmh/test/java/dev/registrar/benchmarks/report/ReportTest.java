package dev.registrar.benchmarks.report;

import static dev.registrar.benchmarks.report.MadeUpResults.circumstances;
import static dev.registrar.benchmarks.report.MadeUpResults.result;
import static dev.registrar.benchmarks.report.MadeUpResults.steady;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.benchmarks.suite.Suite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** The page with the results. */
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
    void ids_on_the_page_are_unique_and_every_link_finds_its_id() throws Exception {
        MadeUpResults.ofAll(Suite.rows()).write(results);

        report();

        List<String> attributes = attributes(parsed(Files.readString(page)));
        List<String> ids = valuesOf(attributes, "id=");
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(valuesOf(attributes, "href=#")).isNotEmpty().isSubsetOf(ids);
    }

    @Test
    void every_chart_has_a_title_a_sentence_and_a_table_of_its_numbers() throws Exception {
        MadeUpResults.ofAll(Suite.rows()).write(results);

        report();

        Document html = parsed(Files.readString(page));
        assertThat(elements(html, "figure")).hasSize(9).allSatisfy(figure -> {
            assertThat(elements(figure, "figcaption").map(Element::getTextContent))
                    .hasSize(1)
                    .containsExactlyElementsOf(elements(figure, "caption")
                            .map(Element::getTextContent)
                            .toList());
            assertThat(elements(figure, "p").map(Element::getTextContent))
                    .hasSize(1)
                    .allMatch(sentence -> sentence.matches("[A-Z0-9]([^.]|\\.[0-9])*\\."));
            assertThat(elements(figure, "td").map(Element::getTextContent))
                    .isNotEmpty()
                    .doesNotContain("not measured");
        });
        assertThat(elements(html, "th")).allMatch(header -> header.hasAttribute("scope"));
        assertThat(elements(html, "table"))
                .allMatch(table -> elements(table, "caption").count() == 1);
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

        Element writes = figure("Writes per second");
        assertThat(texts(writes, "tr")).startsWith("calls/s by callers110100", "append1,000 ± 39not measured9,000 ± 0");
        assertThat(texts(figure("Median duration of a write"), "tr"))
                .startsWith("ms by callers110100", "append0.311not measured0.311");
        assertThat(texts(figure("99th percentile of the duration of a write"), "tr"))
                .contains("append1.25not measured1.25");
        assertThat(texts(writes, "summary")).containsExactly("13 rows not measured");
        assertThat(texts(writes, "li")).hasSize(13).contains("append/concurrent dataset=small events=1 callers=10");
    }

    @Test
    void the_committed_page_shows_the_committed_results() throws Exception {
        Path committed = Path.of("docs/benchmarks");

        Report.write(committed.resolve("results.json"), page);

        assertThat(savedFrom(committed.resolve("index.html")))
                .isEqualTo(Files.readString(committed.resolve("results.json")));
        for (String element : List.of("table", "article")) {
            assertThat(texts(committed.resolve("index.html"), element)).isEqualTo(texts(page, element));
        }
    }

    @Test
    void nothing_on_the_page_or_in_its_results_is_not_a_number() throws Exception {
        RowId row = RowId.parse("append/single dataset=tiny callers=1");
        RowResult withoutLatencies = new RowResult(
                row.row(),
                row.parameters(),
                1,
                0,
                Estimate.of(List.of(5.0)),
                Double.NaN,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                1);
        new ResultFile(circumstances("abc1234"), List.of(withoutLatencies)).write(results);

        report();

        assertThat(texts(page, "main"))
                .hasSize(1)
                .noneMatch(text -> text.contains("NaN") || text.contains("Infinity") || text.contains("∞"));
        assertThat(savedFrom(page)).contains("\"p99Micros\":null").doesNotContain("NaN");
    }

    @Test
    void markup_in_the_results_is_shown_as_text() throws Exception {
        String markup = "</script><script>alert('1')</script>&\"<b>";
        RowId row = new RowId("append/single", new TreeMap<>(Map.of("dataset", markup)), 1);
        new ResultFile(
                        Map.of("at", markup, markup, "machine"),
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
    void the_page_names_server_machine_commit_and_settings_of_its_main_run() throws Exception {
        Map<String, String> facts = new LinkedHashMap<>(circumstances("abc1234"));
        facts.put("processors", "2 of EPYC");
        facts.put("memory", "24105 MB");
        facts.put("java", "OpenJDK 25");
        facts.put("warm-up", "5 s");
        facts.put("attempts", "");
        facts.put("postgresql.kind", "container");
        facts.put("postgresql.server_version", "18.6");
        facts.put("postgresql.fsync", "on");
        new ResultFile(List.of(
                        new Run(circumstances("older"), List.of(steady("read/last callers=1", 5))),
                        new Run(
                                facts,
                                List.of(
                                        steady("append/single dataset=tiny callers=1", 5),
                                        steady("append/single dataset=small callers=1", 5)))))
                .write(results);

        report();

        List<Element> sections =
                elements(parsed(Files.readString(page)), "section").toList();
        assertThat(texts(sections.getFirst(), "dd"))
                .containsExactly(
                        "2, and 1 in other runs: see Circumstances",
                        "container PostgreSQL 18.6; fsync on",
                        "2 of EPYC; 24105 MB",
                        "OpenJDK 25",
                        "abc1234; 2026-11-21T16:00:00Z",
                        "1 in the run of 2026-11-21T16:00:00Z; 2 in the run of 2026-11-21T16:00:00Z: warm-up 5 s",
                        Report.OTHER_LENGTHS);
        assertThat(texts(page, "dt")).doesNotContain("attempts");
    }
}
