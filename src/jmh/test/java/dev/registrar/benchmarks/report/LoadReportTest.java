package dev.registrar.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report on load tests, from the files of Gatling and the simulations. */
class LoadReportTest {
    private static final String FACTS = """
            {"simulation": "AppendSimulation", "profile": "seed", "begun": "2026-01-01T23:59:00Z", "server": "container", "warmedUp": true, "cpuSecondsOfService": 0.3, "cpuSecondsOfPostgres": 0.1}""";

    private static final int ALL = Simulations.ALL.size();

    @TempDir
    private Path folder;

    private Path results;
    private Path page;
    private Path file;

    @BeforeEach
    void prepare() throws IOException {
        results = folder.resolve("gatling");
        page = folder.resolve("load.html");
        file = folder.resolve("load.json");
        Files.createDirectory(results);
    }

    /* The columns are: total, ok, failed, % failed, rate, min, 50, 75, 95, 99, max, mean, deviation. */
    private void run(String name, String stamp, int... columns) throws IOException {
        Path of = Files.createDirectory(results.resolve(name.toLowerCase(Locale.ROOT) + "-" + stamp));
        Files.writeString(
                of.resolve("index.html"),
                "<table>" + row("ROOT", "All Requests", columns) + row("req_single-1", "single &amp; only", columns)
                        + "</table>");
        Files.writeString(results.resolve(name + "-seed.json"), FACTS.replace("AppendSimulation", name));
    }

    private static String row(String id, String name, int... columns) {
        return IntStream.range(0, columns.length)
                .mapToObj(i -> "<td class=\"value total col-%s\">%s</td>".formatted(i + 2, columns[i]))
                .collect(Collectors.joining(
                        "\n", "<tr id=\"%s\" >\n<span class=\"ellipsed-name\">%s</span>".formatted(id, name), "</tr>"));
    }

    @Test
    void the_last_run_of_a_simulation_is_shown_beside_the_published_one() throws Exception {
        run("AppendSimulation", "20260101000000000", 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1);
        run("AppendSimulation", "20260102000000000", 1_000, 999, 1, 0, 850, 1, 3, 4, 9, 17, 40, 5, 2);

        LoadReport.write(results, page, file);

        assertThat(rows())
                .contains("append|58 req/s|6.2 s|865|850|0.983|9 ms|17 ms|1|")
                .anyMatch(row -> row.startsWith("AppendSimulation|seed|1,000|1|850|3 ms|9 ms|17 ms|400||yes|"));
        assertThat(Files.readString(page)).contains("gatling/appendsimulation-20260102000000000/index.html");
    }

    /* The cells of each row of the page's tables. */
    private List<String> rows() throws Exception {
        return PagesTest.rows(page);
    }

    @Test
    void a_run_without_a_warm_up_or_of_few_requests_is_not_drawn() throws Exception {
        run("AppendSimulation", "20260102000000000", 1_000, 1_000, 0, 0, 850, 1, 3, 4, 9, 17, 40, 5, 2);
        run("ReadSimulation", "20260102000000000", 1_000, 1_000, 0, 0, 850, 1, 3, 4, 9, 17, 40, 5, 2);
        run("FullScanSimulation", "20260102000000000", 999, 999, 0, 0, 850, 1, 3, 4, 9, 17, 40, 5, 2);
        Path cold = results.resolve("ReadSimulation-seed.json");
        Files.writeString(cold, Files.readString(cold).replace("\"warmedUp\": true, ", ""));

        LoadReport.write(results, page, file);

        assertThat(Files.readString(page)).containsOnlyOnce("class=\"bar\"");
        assertThat(rows()).anyMatch(row -> row.startsWith("ReadSimulation|seed|1,000|0|850|3 ms|9 ms|17 ms|400||no|"));
    }

    @Test
    void a_published_run_stays_until_its_simulation_runs_again() throws Exception {
        run("AppendSimulation", "20260102000000000", 1_000, 999, 1, 0, 850, 1, 3, 4, 9, 17, 40, 5, 2);
        LoadReport.write(results, page, file);
        results = Files.createDirectory(folder.resolve("later"));
        run("ReadSimulation", "20260102000000000", 2_000, 2_000, 0, 0, 1_700, 1, 2, 2, 3, 4, 5, 2, 2);

        LoadReport.write(results, page, file);

        assertThat(rows())
                .anyMatch(row -> row.startsWith("AppendSimulation|seed|1,000|1|850|3 ms|9 ms|17 ms|400||yes|"))
                .anyMatch(row -> row.startsWith("ReadSimulation|seed|2,000|0|1,700|2 ms|3 ms|4 ms|200||yes|"));
        assertThat(Files.readString(page))
                .contains("later/readsimulation-20260102000000000/index.html")
                .doesNotContain("appendsimulation-20260102000000000/index.html");
    }

    @Test
    void a_smoke_run_is_no_published_run() throws IOException {
        run("AppendSimulation", "20260102000000000", 1_000, 999, 1, 0, 850, 1, 3, 4, 9, 17, 40, 5, 2);
        Files.writeString(results.resolve("AppendSimulation-seed.json"), FACTS.replace("\"seed\"", "\"smoke\""));

        LoadReport.write(results, page, file);

        assertThat(Files.readString(page))
                .contains("%1$s of %1$s simulations have no published run".formatted(ALL))
                .doesNotContain("<table");
    }

    @Test
    void the_committed_page_shows_the_committed_runs() throws Exception {
        Path committed = Path.of("docs/benchmarks");
        Files.copy(committed.resolve("load.json"), file);

        LoadReport.write(folder.resolve("nowhere"), page, file);

        assertThat(PagesTest.text(page)).isEqualTo(PagesTest.text(committed.resolve("load.html")));
    }

    @Test
    void every_simulation_has_a_place_for_its_published_run() throws IOException {
        try (Stream<Path> sources = Files.list(Path.of("gatling/src/test/java/dev/registrar/gatling"))) {
            assertThat(Simulations.ALL)
                    .extracting(Simulations.Published::name)
                    .containsExactlyInAnyOrderElementsOf(sources.map(
                                    source -> source.getFileName().toString())
                            .filter(name -> name.endsWith("Simulation.java") && !name.equals("LoadSimulation.java"))
                            .map(name -> name.replace(".java", ""))
                            .toList());
        }
    }
}
