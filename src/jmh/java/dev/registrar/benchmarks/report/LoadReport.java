package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.joining;

import dev.registrar.benchmarks.report.Chart.Series;
import dev.registrar.benchmarks.report.HtmlPage.Section;
import dev.registrar.benchmarks.report.LoadRun.Requests;
import dev.registrar.benchmarks.report.Table.Cell;
import dev.registrar.benchmarks.report.Table.Column;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Writes what the load tests' last runs came to as a page, and into a document between {@code <!-- load -->} and
 * {@code <!-- /load -->}.
 */
public final class LoadReport {
    /** The load of these, as published, bounds their rate by its pauses; and what was printed all the same. */
    private static final List<Published> PUBLISHED = List.of(
            new Published("AppendSimulation", "append", "58 req/s", "6.2 s", 865),
            new Published("AppendIfSimulation", "append-if", "27 req/s", "6.3 s", 946),
            new Published("ReadSimulation", "read", "1,660 req/s", "5.7 ms", 1_729),
            new Published("ProjectSimulation", "project", "670 req/s", "8.2 ms", 720));

    private final List<LoadRun> runs;

    private LoadReport(List<LoadRun> runs) {
        this.runs = runs;
    }

    /** @param allowed requests a second that the pauses leave time for */
    private record Published(String simulation, String name, String rate, String p99, int allowed) {}

    /** Takes Gatling's folder of results, the page that is written, and the document in Markdown that is changed. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 3) {
            throw new IllegalArgumentException("Usage: LoadReport <results> <page.html> <document.md>");
        }
        write(Path.of(arguments[0]), Path.of(arguments[1]), Path.of(arguments[2]));
    }

    /**
     * Writes the page, and changes the document.
     *
     * @throws IllegalArgumentException if there are no runs, or the document lacks the marks; then nothing is written
     */
    public static void write(Path results, Path page, Path document) throws IOException {
        List<LoadRun> runs = Files.isDirectory(results) ? LoadRun.below(results) : List.of();
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("There are no runs in %s: mvn -f gatling verify".formatted(results));
        }
        LoadReport report = new LoadReport(runs);
        String changed = new MarkedSection("load").insertedInto(Files.readString(document), report.markdown());
        Path fromPage =
                page.toAbsolutePath().relativize(results.toAbsolutePath()).normalize();
        Files.writeString(page, report.html(fromPage.subpath(1, fromPage.getNameCount())));
        Files.writeString(document, changed);
    }

    private String markdown() {
        return tables().stream().map(MarkdownReport::table).collect(joining("\n\n"));
    }

    private String html(Path results) {
        String links = runs.stream()
                .map(run -> "<li><a href=\"%s\">%s, %s</a></li>"
                        .formatted(
                                Table.escape(results.resolve(run.folder())
                                        .resolve("index.html")
                                        .toString()),
                                Table.escape(run.simulation()),
                                Table.escape(run.profile())))
                .collect(joining("\n", "<ul>\n", "\n</ul>"));
        return new HtmlPage(
                        "Registrar: load over HTTP",
                        "What the last run of each simulation came to, with load generator, service and database on one"
                                + " machine.",
                        List.of(
                                new Section("charts", "Charts", HtmlPage.charts(charts())),
                                new Section("tables", "Tables", HtmlPage.tables(tables())),
                                new Section("reports", "Gatling's own reports", links)))
                .text();
    }

    private List<Table> tables() {
        return Stream.of(published(), speed(), Optional.of(all()))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<Table> published() {
        List<List<Cell>> rows = new ArrayList<>();
        for (Published published : PUBLISHED) {
            run(published.simulation(), "seed")
                    .ifPresent(run -> rows.add(List.of(
                            Cell.of(published.name()),
                            Cell.of(published.rate()),
                            Cell.of(published.p99()),
                            Cell.of(published.allowed()),
                            Cell.of(run.total().perSecond()),
                            Cell.of(run.total().perSecond() / published.allowed()),
                            Cell.of(run.total().p95Millis() + " ms"),
                            Cell.of(run.total().p99Millis() + " ms"),
                            count(run.total().failed()))));
        }
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(new Table(
                        "The published ramp of up to 100 users with pauses",
                        List.of(
                                Column.words("Load"),
                                Column.numbers("go-crablet"),
                                Column.numbers("its p99"),
                                Column.numbers("what the pauses allow, req/s"),
                                Column.numbers("ours, req/s"),
                                Column.numbers("ours by allowed"),
                                Column.numbers("our p95"),
                                Column.numbers("our p99"),
                                Column.numbers("failed")),
                        rows));
    }

    private Optional<Table> speed() {
        return run("SpeedSimulation", null)
                .map(run -> new Table(
                        "100 users without pauses, in turns with a request that is only parsed and answered",
                        List.of(
                                Column.words("Request"),
                                Column.numbers("req/s, each turn"),
                                Column.numbers("by empty"),
                                Column.numbers("CPU µs a request, each turn"),
                                Column.numbers("CPU by empty"),
                                Column.numbers("p50"),
                                Column.numbers("p99"),
                                Column.numbers("failed")),
                        run.facts()
                                .path("speed")
                                .valueStream()
                                .map(row -> speed(run, row))
                                .toList()));
    }

    private static List<Cell> speed(LoadRun run, JsonNode row) {
        String kind = row.path("kind").asString();
        Requests requests = run.requests().stream()
                .filter(known -> known.name().equals(kind))
                .findAny()
                .orElseThrow();
        return List.of(
                Cell.of(kind),
                Cell.of(numbers(row.path("perSecond"))),
                Cell.of(row.path("speedToEmpty").asDouble()),
                Cell.of(numbers(row.path("microsecondsOfCpu"))),
                Cell.of(row.path("cpuToEmpty").asDouble()),
                Cell.of(requests.medianMillis() + " ms"),
                Cell.of(requests.p99Millis() + " ms"),
                count(requests.failed()));
    }

    private static Cell count(long count) {
        return Cell.of("%,d".formatted(count));
    }

    private static String numbers(JsonNode array) {
        return array.valueStream()
                .map(number -> Numbers.text(number.asDouble()))
                .collect(joining(", "));
    }

    private Table all() {
        return new Table(
                "The last run of each simulation that was to measure",
                List.of(
                        Column.words("Simulation"),
                        Column.words("Profile"),
                        Column.numbers("Requests"),
                        Column.numbers("Failed"),
                        Column.numbers("req/s"),
                        Column.numbers("p50"),
                        Column.numbers("p95"),
                        Column.numbers("p99"),
                        Column.numbers("CPU µs a request"),
                        Column.numbers("held users/s")),
                measured()
                        .map(run -> List.of(
                                Cell.of(run.simulation()),
                                Cell.of(run.profile()),
                                count(run.total().count()),
                                count(run.total().failed()),
                                Cell.of(run.total().perSecond()),
                                Cell.of(run.total().medianMillis() + " ms"),
                                Cell.of(run.total().p95Millis() + " ms"),
                                Cell.of(run.total().p99Millis() + " ms"),
                                Cell.of(run.microsecondsOfCpu()),
                                Cell.of(run.facts().path("usersPerSecondHeld").asString(""))))
                        .toList());
    }

    /* A smoke run is over before anything is warm: its numbers mean nothing. */
    private Stream<LoadRun> measured() {
        return runs.stream().filter(run -> !run.profile().equals("smoke"));
    }

    private List<Chart> charts() {
        return List.of(
                points("Requests a second", "requests/s", Requests::perSecond),
                points("Mean time to answer", "ms", Requests::meanMillis),
                points("99th percentile of the time to answer", "ms", requests -> Math.max(1, requests.p99Millis())));
    }

    private Chart points(String title, String unit, ToDoubleFunction<Requests> measure) {
        List<Series> series = measured()
                .map(run -> new Series(
                        run.simulation().replace("Simulation", "") + ", " + run.profile(),
                        List.of(Numbers.text(measure.applyAsDouble(run.total())))))
                .toList();
        return Chart.points(title, "load", unit, series, List.of());
    }

    /** @param profile null if any will do */
    private Optional<LoadRun> run(String simulation, @Nullable String profile) {
        return runs.stream()
                .filter(run -> run.simulation().equals(simulation))
                .filter(run -> profile == null || run.profile().equals(profile))
                .findAny();
    }
}
