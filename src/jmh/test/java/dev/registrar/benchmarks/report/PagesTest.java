package dev.registrar.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.benchmarks.BenchmarkRow;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Results of chosen rows, their comparison and their pages. */
class PagesTest {
    private static final Path COMMITTED = Path.of("docs/benchmarks");
    private static final Map<String, String> A_RUN =
            Map.of("at", "2026-01-02T03:04:05Z", "commit", "1234567", "processors", "2 of a kind");
    private static final Map<String, String> ANOTHER_RUN = Map.of("at", "2026-02-02T03:04:05Z", "commit", "89abcde");

    private static final String APPEND = "append/concurrent dataset=small events=1 callers=1";
    private static final String INSERT = "baseline/insert dataset=small callers=1";

    @TempDir
    private Path folder;

    private Results results = new Results(List.of());

    private void measured(Map<String, String> run, JsonNode... rounds) {
        results = results.with(run, List.of(rounds));
        results.write(folder.resolve(Results.FILE));
    }

    /* One caller's result of JMH: a call takes the callers' second divided by the rate. */
    private static JsonNode round(String row, double callsPerSecond) {
        return JsonMapper.shared().readTree("""
                {"row": "%s", "calls": 1, "threads": 1,
                 "primaryMetric": {"score": %s, "scorePercentiles": {"50.0": 400.0, "99.0": 2500.0}},
                 "secondaryMetrics": {"gc.alloc.rate.norm": {"score": 5000.0}}}""".formatted(row, 1e6 / callsPerSecond));
    }

    @Test
    void an_interrupted_run_has_its_page() throws Exception {
        measured(A_RUN, round(APPEND, 2_000));

        Pages.write(folder);

        assertThat(rows(folder.resolve("index.html"))).contains("without a condition|2,000p50 0.400 ms; p99 2.50 ms");
        assertThat(Files.readString(folder.resolve("index.html")))
                .contains("Measured 2026-01-02, commit 1234567, 2 of a kind.")
                .doesNotContain("How many reads a second?");
        assertThat(rows(folder.resolve("rows.html")))
                .contains(APPEND + "|2,000||0.400|2.50|||5,000|2026-01-02, 1234567");
    }

    @Test
    void a_line_of_another_run_says_so() throws Exception {
        measured(ANOTHER_RUN, round(INSERT, 2_500));
        measured(A_RUN, round(APPEND, 2_000), round("append/concurrent dataset=small events=1 callers=10", 9_000));

        Pages.write(folder);

        assertThat(rows(folder.resolve("index.html")))
                .anyMatch(row -> row.startsWith("bare insertMeasured 2026-02-02, commit 89abcde, .|2,500"));
    }

    @Test
    void figures_of_another_system_become_a_line_of_their_chart() throws Exception {
        measured(A_RUN, round(APPEND, 2_000), round("beside-append-if/another store callers=1", 800));

        Pages.write(folder);

        assertThat(rows(folder.resolve("index.html"))).anyMatch(row -> row.startsWith("another store|800"));
    }

    @Test
    void a_later_run_replaces_the_rows_that_it_measured() {
        measured(ANOTHER_RUN, round(APPEND, 1_000), round(INSERT, 2_000));
        measured(A_RUN, round(APPEND, 3_000));

        Map<String, Measured> rows = Results.read(folder.resolve(Results.FILE)).rows();

        assertThat(measured(rows, APPEND).rate()).isEqualTo(3_000);
        assertThat(measured(rows, INSERT).rate()).isEqualTo(2_000);
        assertThat(measured(rows, INSERT).circumstances()).isEqualTo(ANOTHER_RUN);
    }

    @Test
    void rounds_of_one_run_are_compared_in_turns() {
        measured(
                A_RUN,
                round(APPEND, 1_000),
                round(INSERT, 2_000),
                round(APPEND, 3_000),
                round(INSERT, 4_000),
                round(APPEND, 6_000),
                round(INSERT, 10_000));
        Map<String, Measured> rows = results.rows();

        assertThat(Comparison.of(measured(rows, APPEND), measured(rows, INSERT)).text())
                .isEqualTo("0.600 (0.500–0.750)");
        assertThat(measured(rows, APPEND).spread()).isEqualTo("3,000 (1,000–6,000)");
    }

    @Test
    void no_difference_is_shown_where_the_spreads_of_two_runs_overlap() {
        measured(A_RUN, round(APPEND, 1_000), round(APPEND, 1_200), round(INSERT, 1_000), round(INSERT, 1_200));
        Results before = results;
        results = new Results(List.of());
        measured(ANOTHER_RUN, round(APPEND, 1_100), round(APPEND, 1_400), round(INSERT, 1_300), round(INSERT, 1_500));

        assertThat(Compare.table(before, results))
                .contains("| %s | 1,100 (1,000–1,200) | 1,250 (1,100–1,400) | 1.14 (0.917–1.40), no difference shown |"
                        .formatted(APPEND))
                .contains("| %s | 1,100 (1,000–1,200) | 1,400 (1,300–1,500) | 1.27 (1.08–1.50) |".formatted(INSERT));
    }

    @Test
    void the_charts_and_the_published_rows_are_answered_by_rows() {
        Set<String> rows = BenchmarkRow.all().stream().map(BenchmarkRow::id).collect(Collectors.toSet());
        rows.addAll(Results.read(COMMITTED.resolve("load.json")).rows().keySet());

        assertThat(Chart.all())
                .flatExtracting(chart -> chart.lines().stream()
                        .flatMap(line -> chart.columns().stream().map(column -> chart.row(line, column)))
                        .toList())
                .isSubsetOf(rows);
        assertThat(Published.all())
                .hasSize(247)
                .allSatisfy(
                        published -> assertThat(published.rows()).isNotEmpty().isSubsetOf(rows));
        assertThat(rows).containsAll(Published.reasons().keySet());
    }

    @Test
    void the_committed_pages_show_the_committed_results() throws Exception {
        FileSystemUtils.copyRecursively(COMMITTED, folder);

        Pages.write(folder);

        for (String page : Pages.NAMES) {
            assertThat(text(folder.resolve(page))).as(page).isEqualTo(text(COMMITTED.resolve(page)));
        }
    }

    @Test
    void the_committed_pages_load_nothing_and_their_links_exist() throws Exception {
        Set<String> targets = new HashSet<>();
        for (String page : Pages.NAMES) {
            targets.add(page);
            elements(COMMITTED.resolve(page), "section")
                    .forEach(section -> targets.add(page + "#" + section.getAttribute("id")));
        }
        for (String page : Pages.NAMES) {
            assertThat(Files.readString(COMMITTED.resolve(page))).doesNotContain("<script", "src=", "url(");
            assertThat(elements(COMMITTED.resolve(page), "a").map(link -> link.getAttribute("href")))
                    .isSubsetOf(targets);
        }
    }

    /** Returns the cells of each row of a page's tables. */
    static List<String> rows(Path page) throws Exception {
        return elements(page, "tr")
                .map(row -> children(row).map(cell -> cell.getTextContent()).collect(Collectors.joining("|")))
                .toList();
    }

    static String text(Path page) throws Exception {
        return elements(page, "body").findFirst().orElseThrow().getTextContent();
    }

    private static Stream<Element> elements(Path page, String name) throws Exception {
        NodeList found = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(Files.readString(page))))
                .getElementsByTagName(name);
        return IntStream.range(0, found.getLength()).mapToObj(index -> (Element) found.item(index));
    }

    private static Stream<Node> children(Element parent) {
        NodeList children = parent.getChildNodes();
        return IntStream.range(0, children.getLength()).mapToObj(children::item);
    }

    private static Measured measured(Map<String, Measured> rows, String id) {
        return Objects.requireNonNull(rows.get(id), id);
    }
}
