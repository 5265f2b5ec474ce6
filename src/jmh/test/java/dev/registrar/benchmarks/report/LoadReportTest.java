package dev.registrar.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of load tests, from the files of Gatling and the simulations. */
class LoadReportTest {
    private static final String FACTS = """
            {"simulation": "AppendSimulation", "profile": "seed", "begun": "2026-01-01T23:59:00Z", "commit": "1234567", "server": "container", "warmedUp": true, "cpuSecondsOfService": 0.3, "cpuSecondsOfPostgres": 0.1}""";

    @TempDir
    private Path folder;

    private Path results;

    @BeforeEach
    void prepare() throws IOException {
        results = Files.createDirectory(folder.resolve("gatling"));
    }

    /* The columns are: total, ok, failed, % failed, rate, min, 50, 75, 95, 99, max, mean, deviation. */
    private void run(String name, String stamp, int... columns) throws IOException {
        Path of = Files.createDirectory(results.resolve(name.toLowerCase(Locale.ROOT) + "-" + stamp));
        Files.writeString(
                of.resolve("index.html"),
                "<table>%s%s</table>".formatted(row("ROOT", columns), row("req_single-1", new int[columns.length])));
        facts(name, FACTS.replace("AppendSimulation", name));
    }

    private static String row(String id, int... columns) {
        return IntStream.range(0, columns.length)
                .mapToObj(i -> "<td class=\"value total col-%s\">%s</td>".formatted(i + 2, columns[i]))
                .collect(Collectors.joining("\n", "<tr id=\"%s\" >\n".formatted(id), "</tr>"));
    }

    private void facts(String name, String facts) throws IOException {
        Files.writeString(results.resolve(name + "-seed.json"), facts);
    }

    /* The rows of the page without its introduction: the published ones, and all. */
    private String report() throws Exception {
        LoadReport.main(results.toString(), folder.resolve("load.json").toString());
        return String.join("\n", PagesTest.rows(folder.resolve("rows.html")));
    }

    @Test
    void the_last_run_of_a_simulation_is_a_row_and_stands_beside_the_published_figure() throws Exception {
        run("AppendSimulation", "20260101000000000", 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1);
        run("AppendSimulation", "20260102000000000", 1_000, 999, 1, 0, 850, 1, 3, 4, 9, 17, 40, 5, 2);

        assertThat(report())
                .contains("Append Benchmark|~58 req/s, p99 6.2s|58 calls/s|850 calls/sload/append profile=seed|14.7|")
                .contains("load/append profile=seed1,000 requests, 1 failed|850||3.00|17.0|400|||"
                        + "2026-01-01, 1234567");
    }

    @Test
    void a_remark_tells_a_run_without_a_warm_up_and_what_else_it_found() throws Exception {
        run("FullScanSimulation", "20260102000000000", 41, 41, 0, 0, 8, 1, 3, 4, 9, 17, 40, 5, 2);
        facts(
                "FullScanSimulation",
                FACTS.replace("AppendSimulation", "FullScanSimulation")
                        .replace("\"warmedUp\": true", "\"found\": [1.5, 200]"));

        assertThat(report())
                .contains("load/full-scan profile=seed41 requests, 0 failed; not warmed up; found 1.50, 200|8.00|");
    }

    @Test
    void a_run_stays_until_its_simulation_runs_again() throws Exception {
        run("AppendSimulation", "20260102000000000", 1_000, 999, 1, 0, 850, 1, 3, 4, 9, 17, 40, 5, 2);
        report();
        results = Files.createDirectory(folder.resolve("later"));
        run("ReadSimulation", "20260102000000000", 2_000, 2_000, 0, 0, 1_700, 1, 2, 2, 3, 4, 5, 2, 2);

        assertThat(report())
                .contains("load/append profile=seed1,000 requests, 1 failed|850|")
                .contains("load/read profile=seed2,000 requests, 0 failed|1,700|");
    }

    @Test
    void a_smoke_run_is_no_row() throws IOException {
        run("AppendSimulation", "20260102000000000", 1_000, 999, 1, 0, 850, 1, 3, 4, 9, 17, 40, 5, 2);
        facts("AppendSimulation", FACTS.replace("\"seed\"", "\"smoke\""));

        assertThatThrownBy(() -> LoadReport.add(results, folder.resolve("load.json")))
                .hasMessageContaining("smoke runs");
    }
}
