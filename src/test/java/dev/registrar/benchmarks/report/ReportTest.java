package dev.registrar.benchmarks.report;

import static dev.registrar.benchmarks.report.MadeUpResults.circumstances;
import static dev.registrar.benchmarks.report.MadeUpResults.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.benchmarks.suite.Suite;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** The page and the document that tell the results. */
@EnabledIf(value = "canDraw", disabledReason = "this machine has no fonts, without which Java draws no charts")
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
        assertThat(Stream.of("script", "link", "img", "image", "iframe", "object", "embed")
                        .flatMap(name -> elements(html, name)))
                .isEmpty();
        assertThat(attributes(html))
                .filteredOn(attribute -> !attribute.startsWith("xmlns"))
                .noneMatch(attribute -> attribute.contains("://"));
        assertThat(elements(html, "style").map(Element::getTextContent))
                .noneMatch(style -> style.contains("@import") || style.contains("url("));
    }

    @Test
    void ids_on_the_page_are_unique_and_what_refers_to_them_finds_them() throws Exception {
        MadeUpResults.ofAll(Suite.rows()).write(results);

        report();

        List<String> attributes = attributes(parsed(Files.readString(page)));
        List<String> ids = valuesOf(attributes, "id=");
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(valuesOf(attributes, "href=#")).isNotEmpty().isSubsetOf(ids);
        assertThat(valuesOf(attributes, "clip-path=url(#"))
                .map(reference -> reference.replace(")", ""))
                .isSubsetOf(ids);
    }

    @Test
    void what_is_seen_is_also_said() throws Exception {
        MadeUpResults.ofAll(Suite.rows()).write(results);

        report();

        Document html = parsed(Files.readString(page));
        assertThat(elements(html, "svg")).hasSize(8).allSatisfy(chart -> {
            assertThat(chart.getAttribute("role")).isEqualTo("img");
            assertThat(elements(chart, "title").findFirst().orElseThrow().getTextContent())
                    .isNotBlank();
            assertThat(elements(chart, "desc").findFirst().orElseThrow().getTextContent())
                    .isNotBlank();
        });
        assertThat(elements(html, "th")).allMatch(header -> header.hasAttribute("scope"));
        assertThat(elements(html, "table"))
                .allMatch(table -> elements(table, "caption").count() == 1);
    }

    @Test
    void charts_take_the_colours_of_the_page() throws IOException {
        MadeUpResults.ofAll(Suite.rows()).write(results);

        report();

        assertThat(Files.readString(page)).contains("var(--line-1)").doesNotContain("rgb(0,0,");
    }

    @Test
    void a_published_row_stands_beside_ours() throws Exception {
        new ResultFile(
                        circumstances("abc1234"),
                        List.of(result("append/single dataset=tiny callers=1", 16_059.0, 16_060.0, 16_061.0)))
                .write(results);

        report();

        assertThat(tableRows("AppendSingle").findFirst().orElseThrow())
                .contains("8,030 ops/sec, 0.12ms", "8,030 calls/s", "16,060 ± 18 calls/s", "2.00×")
                .contains("append/single dataset=tiny callers=1");
        assertThat(Files.readString(document))
                .contains("| AppendSingle | 8,030 ops/sec, 0.12ms | 8,030 calls/s |")
                .contains("| 16,060 ± 18 calls/s<br>`append/single dataset=tiny callers=1` | 2.00× | ");
    }

    @Test
    void a_published_row_of_unknown_exactness_has_a_ratio_of_the_same() throws Exception {
        new ResultFile(
                        circumstances("abc1234"),
                        List.of(result("locks/one-key dataset=small callers=20", 1_450.0, 1_450.0, 1_450.0)))
                .write(results);

        report();

        assertThat(tableRows("20 Goroutines").findFirst().orElseThrow())
                .contains("820–1,450 calls/s", "1,450 ± 0 calls/s", "1.00–1.77×");
    }

    @Test
    void what_only_has_the_same_name_has_no_ratio() throws Exception {
        new ResultFile(
                        circumstances("abc1234"),
                        List.of(
                                result("append/concurrent dataset=small events=1 callers=1", 8_880.0, 8_880.0, 8_880.0),
                                result("enrollment/many-courses dataset=small callers=1", 2_000.0, 2_000.0, 2_000.0)))
                .write(results);

        report();

        List<List<String>> rows = tableRows("Concurrent_1User, Small").toList();
        assertThat(rows).hasSize(2);
        assertThat(rows.get(0)).contains("8,880 ± 0 calls/s", "2.00×");
        assertThat(rows.get(1)).contains("2,000 ± 0 calls/s", "not alike");
    }

    @Test
    void a_row_that_was_not_measured_says_so() throws Exception {
        new ResultFile(circumstances("abc1234"), List.of()).write(results);

        report();

        assertThat(tableRows("AppendSingle"))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row).contains("not measured").doesNotContain("×"));
        assertThat(elements(parsed(Files.readString(page)), "svg")).isEmpty();
        assertThat(Files.readString(document))
                .contains("| not measured<br>`append/single dataset=tiny callers=1` |  |");
    }

    @Test
    void a_figure_that_was_not_measured_says_so() throws Exception {
        RowId id = RowId.parse("read/batch as=list dataset=small callers=1");
        RowResult result = new RowResult(
                id.row(), id.parameters(), 1, 0, Estimate.of(List.of(5.0)), 7, Double.NaN, Double.NaN, Double.NaN);
        new ResultFile(circumstances("abc1234"), List.of(result)).write(results);

        report();

        assertThat(tableRows("read/batch").findFirst().orElseThrow())
                .contains("5.00 ± ?", "none", "7.00", "not measured", "none returned", "abc1234")
                .doesNotContain("NaN")
                .doesNotContain("Infinity");
        assertThat(tableRows("Read Operations").findFirst().orElseThrow()).contains("not measured");
        assertThat(Files.readString(page)).doesNotContain("NaN", "∞");
    }

    @Test
    void no_events_are_no_rate() throws Exception {
        RowId id = RowId.parse("read/low-selectivity callers=1");
        RowResult result =
                new RowResult(id.row(), id.parameters(), 1, 0, Estimate.of(List.of(5.0)), 7, 8, 9, Double.NaN);
        new ResultFile(circumstances("abc1234"), List.of(result)).write(results);

        report();

        assertThat(tableRows("Low selectivity").findFirst().orElseThrow())
                .contains("11,920 events/s", "no events")
                .doesNotContain("not measured");
    }

    @Test
    void what_a_document_prints_again_is_on_the_page_alone() throws Exception {
        MadeUpResults.ofAll(Suite.rows()).write(results);

        report();

        assertThat(tableRows("AppendIf Performance, Small")).hasSize(1);
        assertThat(tableRows("Append Performance, Tiny")).hasSize(1);
        assertThat(Files.readString(document))
                .contains("| AppendSingle |", "| Append Performance, Medium |")
                .doesNotContain("| Append Performance, Tiny |");
    }

    @Test
    void reads_are_told_by_returned_event() throws Exception {
        new ResultFile(circumstances("abc1234"), List.of(result("read/by-type callers=1", 500.0, 500.0, 500.0)))
                .write(results);

        report();

        // 500 calls a second of two events each: 2,000 µs a call.
        assertThat(tableRows("read/by-type").findFirst().orElseThrow()).contains("1,000 ± 0", "1,000", "abc1234");
        assertThat(elements(parsed(Files.readString(page)), "th").map(Element::getTextContent))
                .contains("µs by returned event");
    }

    @Test
    void circumstances_are_on_the_page_as_they_are() throws IOException {
        new ResultFile(circumstances("abc1234"), List.of()).write(results);

        report();

        assertThat(Files.readString(page)).contains("<dt>machine</dt><dd>2 processors &amp; 24 GB</dd>");
        assertThat(Files.readString(document)).contains("machine 2 processors & 24 GB");
    }

    @Test
    void only_what_is_between_the_marks_is_replaced() throws IOException {
        MadeUpResults.ofAll(Suite.rows()).write(results);

        report();
        String once = Files.readString(document);
        report();

        assertThat(once).startsWith(BEFORE + "\n").endsWith("\n" + AFTER).doesNotContain("old results");
        assertThat(Files.readString(document)).isEqualTo(once);
    }

    @Test
    void without_marks_nothing_is_written() throws IOException {
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

    static boolean canDraw() {
        return SvgCharts.canDraw();
    }

    private void report() throws IOException {
        Report.main(new String[] {results.toString(), page.toString(), document.toString()});
    }

    /** The texts of the cells of the rows with this name. */
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

    /** Each as {@code name=value}. */
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
