package dev.registrar.benchmarks.report;

import static dev.registrar.benchmarks.report.MadeUpResults.circumstances;
import static dev.registrar.benchmarks.report.MadeUpResults.result;
import static dev.registrar.benchmarks.report.MadeUpResults.steady;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.benchmarks.suite.Suite;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** The page and the document with the results. */
class ReportTest {
    private static final String BEFORE = "# Performance\n\n<!-- benchmarks -->";
    private static final String AFTER = "<!-- /benchmarks -->\n\nThe rest.\n";

    @TempDir
    private Path directory;

    private Path results;
    private Path page;
    private Path document;

    @BeforeEach
    void prepare() throws IOException {
        results = directory.resolve("results.json");
        page = directory.resolve("report.html");
        document = directory.resolve("performance.md");
        Files.writeString(document, BEFORE + "\nold results\n" + AFTER);
    }

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
    void a_published_row_is_shown_beside_ours() throws Exception {
        new ResultFile(circumstances("abc1234"), List.of(steady("append/single dataset=tiny callers=1", 16_060)))
                .write(results);

        report();

        assertThat(tableRows("AppendSingle").findFirst().orElseThrow())
                .contains("8,030 ops/sec, 0.12ms", "8,030 calls/s", "16,060 ± 0 calls/s", "2.00×")
                .contains("append/single dataset=tiny callers=1");
        assertThat(Files.readString(document))
                .contains("| AppendSingle | 8,030 ops/sec, 0.12ms | 1.4KB, 45 allocations | 8,030 calls/s |")
                .contains("| 16,060 ± 0 calls/s<br>`append/single dataset=tiny callers=1` | 2.00× | 5,176 | ");
    }

    @Test
    void an_unsteady_row_is_marked_and_neither_drawn_nor_compared() throws Exception {
        String row = "enrollment/many-courses dataset=small callers=100";
        new ResultFile(
                        circumstances("abc1234"),
                        List.of(
                                result(row, 781.0, 1_037.0, 1_071.0, 1_434.0, 1_778.0, 2_606.0, 3_104.0, 3_062.0),
                                steady("append/concurrent dataset=small events=1 callers=1", 1_000),
                                result("append/single dataset=tiny callers=1", 5.0, 50.0, 5.0, 50.0, 5.0)))
                .write(results);

        report();

        String reason = "rises from 781 to 3,062 over its iterations";
        assertThat(Files.readString(results)).contains("\"unsteady\":\"" + reason + "\"");
        assertThat(tableRows(row).findFirst().orElseThrow()).contains(reason);
        assertThat(texts(
                        elements(parsed(Files.readString(page)), "figure")
                                .findFirst()
                                .orElseThrow(),
                        "tr"))
                .contains("enroll, many coursesnot measurednot measuredunsteady");
        assertThat(tableRows("AppendSingle").findFirst().orElseThrow())
                .contains("unsteady")
                .noneMatch(cell -> cell.endsWith("×"));
        assertThat(Files.readString(document))
                .contains("| " + row + " | 1,859 ± ")
                .contains(" | " + reason + " | 1 |")
                .contains("`unsteady: " + reason + "`");
    }

    @Test
    void a_published_range_has_a_range_as_its_ratio() throws Exception {
        new ResultFile(circumstances("abc1234"), List.of(steady("locks/one-key dataset=small callers=20", 1_450)))
                .write(results);

        report();

        assertThat(tableRows("20 Goroutines").findFirst().orElseThrow())
                .contains("820–1,450 calls/s", "1,450 ± 0 calls/s", "1.00–1.77×");
    }

    @Test
    void a_row_that_shares_only_the_name_has_no_ratio() throws Exception {
        new ResultFile(
                        circumstances("abc1234"),
                        List.of(
                                steady("append/concurrent dataset=small events=1 callers=1", 8_880),
                                steady("enrollment/many-courses dataset=small callers=1", 2_000)))
                .write(results);

        report();

        List<List<String>> rows = tableRows("Concurrent_1User, Small").toList();
        assertThat(rows).hasSize(2);
        assertThat(rows.get(0)).contains("8,880 ± 0 calls/s", "2.00×");
        assertThat(rows.get(1)).contains("2,000 ± 0 calls/s", "not comparable");
    }

    @Test
    void a_row_that_was_not_measured_is_marked() throws Exception {
        new ResultFile(circumstances("abc1234"), List.of()).write(results);

        report();

        assertThat(tableRows("AppendSingle"))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row).contains("not measured").doesNotContain("×"));
        assertThat(elements(parsed(Files.readString(page)), "figure"))
                .hasSize(8)
                .allSatisfy(figure -> assertThat(elements(figure, "table")).isEmpty());
        assertThat(Files.readString(document))
                .contains("| not measured<br>`append/single dataset=tiny callers=1` |  |");
    }

    @Test
    void a_value_that_was_not_measured_is_marked() throws Exception {
        RowId id = RowId.parse("read/batch as=list dataset=small callers=1");
        RowResult result = new RowResult(
                id.row(), id.parameters(), 1, 0, Estimate.of(List.of(5.0)), 7, Double.NaN, Double.NaN, Double.NaN, 1);
        new ResultFile(circumstances("abc1234"), List.of(result)).write(results);

        report();

        assertThat(tableRows("read/batch").findFirst().orElseThrow())
                .contains("5.00 ± ?", "none", "7.00", "not measured", "none returned", "abc1234")
                .doesNotContain("NaN")
                .doesNotContain("Infinity");
        assertThat(tableRows("Read Operations").findFirst().orElseThrow()).contains("not measured");
        assertThat(texts(page, "table")).noneMatch(text -> text.contains("NaN") || text.contains("∞"));
    }

    @Test
    void a_row_without_events_has_no_rate_of_events() throws Exception {
        RowId id = RowId.parse("read/low-selectivity callers=1");
        RowResult result =
                new RowResult(id.row(), id.parameters(), 1, 0, Estimate.of(List.of(5.0)), 7, 8, 9, Double.NaN, 1);
        new ResultFile(circumstances("abc1234"), List.of(result)).write(results);

        report();

        assertThat(tableRows("Low selectivity").findFirst().orElseThrow())
                .contains("11,920 events/s", "no events")
                .doesNotContain("not measured");
    }

    @Test
    void a_published_row_that_repeats_another_is_on_the_page_only() throws Exception {
        MadeUpResults.ofAll(Suite.rows()).write(results);

        report();

        assertThat(tableRows("AppendIf Performance, Small")).hasSize(1);
        assertThat(tableRows("Append Performance, Tiny")).hasSize(1);
        assertThat(Files.readString(document))
                .contains("| AppendSingle |", "| Append Performance, Medium |")
                .doesNotContain("| Append Performance, Tiny |");
    }

    @Test
    void reads_have_a_time_per_returned_event() throws Exception {
        new ResultFile(circumstances("abc1234"), List.of(steady("read/by-type callers=1", 500))).write(results);

        report();

        // 500 calls a second of two events each: 2,000 µs a call.
        assertThat(tableRows("read/by-type").findFirst().orElseThrow()).contains("1,000 ± 0", "1,000", "abc1234");
        assertThat(elements(parsed(Files.readString(page)), "th").map(Element::getTextContent))
                .contains("µs per returned event");
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

    private void report() throws IOException {
        Report.main(new String[] {results.toString(), page.toString(), document.toString()});
    }

    /** Returns the texts of the cells of the table rows with this name. */
    private Stream<List<String>> tableRows(String name) throws Exception {
        return elements(parsed(Files.readString(page)), "tr")
                .map(row -> {
                    List<String> texts = new ArrayList<>();
                    elements(row, "*").map(Element::getTextContent).forEach(texts::add);
                    elements(row, "td").map(cell -> cell.getFirstChild()).forEach(text -> {
                        if (text != null) {
                            texts.add(text.getTextContent());
                        }
                    });
                    return texts;
                })
                .filter(texts -> texts.getFirst().equals(name));
    }

    private static List<String> texts(Path page, String name) throws Exception {
        return texts(parsed(Files.readString(page)).getDocumentElement(), name);
    }

    private static List<String> texts(Element parent, String name) {
        return elements(parent, name)
                .map(element -> element.getTextContent().strip())
                .toList();
    }

    /** Returns the file that the page's link saves. */
    private static String savedFrom(Path page) throws Exception {
        Element link = elements(parsed(Files.readString(page)), "a")
                .filter(element -> element.hasAttribute("download"))
                .findFirst()
                .orElseThrow();
        String address = link.getAttribute("href");
        return new String(Base64.getDecoder().decode(address.substring(address.indexOf(',') + 1)), UTF_8);
    }

    private static Document parsed(String html) throws IOException, SAXException, ParserConfigurationException {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(html)));
    }

    private static Stream<Element> elements(Document html, String name) {
        return elements(html.getDocumentElement(), name);
    }

    private static Stream<Element> elements(Element parent, String name) {
        NodeList found = parent.getElementsByTagName(name);
        return IntStream.range(0, found.getLength()).mapToObj(index -> (Element) found.item(index));
    }

    /** Returns each attribute as {@code name=value}. */
    private static List<String> attributes(Document html) {
        return elements(html, "*")
                .flatMap(element -> IntStream.range(0, element.getAttributes().getLength())
                        .mapToObj(index -> element.getAttributes().item(index)))
                .map(attribute -> attribute.getNodeName() + "=" + attribute.getNodeValue())
                .toList();
    }

    private static List<String> valuesOf(List<String> attributes, String prefix) {
        return attributes.stream()
                .filter(attribute -> attribute.startsWith(prefix))
                .map(attribute -> attribute.substring(prefix.length()))
                .toList();
    }
}
