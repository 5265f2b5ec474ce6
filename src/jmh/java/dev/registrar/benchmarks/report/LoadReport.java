package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.joining;

import dev.registrar.benchmarks.report.Html.Cell;
import dev.registrar.benchmarks.report.LoadRun.Requests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Writes a page on the last runs of the load tests, and keeps these runs in a file. A run of an earlier build stays in
 * the file until its simulation runs again under the same load profile.
 */
public final class LoadReport {
    /** The published figures. The pauses between requests limit the rate of these loads. */
    private static final List<Ramp> PUBLISHED = List.of(
            new Ramp("AppendSimulation", "append", "58 req/s", "6.2 s", 865, ""),
            new Ramp("AppendIfSimulation", "append-if", "27 req/s", "6.3 s", 946, ""),
            new Ramp(
                    "ReadSimulation",
                    "read",
                    "1,660 req/s",
                    "5.7 ms",
                    1_729,
                    "Half of the published requests were answered with 400, and the others found no event; each of ours"
                            + " finds events."),
            new Ramp(
                    "ProjectSimulation",
                    "project",
                    "670 req/s",
                    "8.2 ms",
                    720,
                    "No published request found an event; each of ours does."));

    /** The minimum number of requests for a 99th percentile. */
    private static final int FEWEST_DRAWN = 1_000;

    private static final Set<String> IN_TURNS = Set.of("SpeedSimulation", "ListenersSimulation");

    private final List<LoadRun> runs;

    private LoadReport(List<LoadRun> runs) {
        this.runs = runs;
    }

    /**
     * A published figure.
     *
     * @param limit the rate that the pauses allow, in requests a second
     * @param remark what its requests did, if not what ours do; may be empty
     */
    private record Ramp(String simulation, String name, String rate, String p99, int limit, String remark) {}

    /** Takes Gatling's folder of results, the page to write and the file of runs; ignores further arguments. */
    public static void main(String... given) throws IOException {
        String[] arguments = String.join(" ", given).strip().split("\\s+", -1);
        if (arguments.length < 3) {
            throw new IllegalArgumentException("Usage: LoadReport <results> <page.html> <runs.json>");
        }
        Path page = Path.of(arguments[1]);
        Path file = Path.of(arguments[2]);
        write(Path.of(arguments[0]), page, file);
        System.out.println("The page on load: " + page.toAbsolutePath());
        System.out.println("Its runs: " + file.toAbsolutePath());
    }

    /**
     * Writes the page and updates the file of runs.
     *
     * @throws IllegalArgumentException if there are neither runs nor a file of runs; nothing is written then
     */
    public static void write(Path results, Path page, Path file) throws IOException {
        List<LoadRun> runs = Files.isDirectory(results) ? LoadRun.below(results) : List.of();
        if (runs.isEmpty() && Files.notExists(file)) {
            throw new IllegalArgumentException("No runs in %s: run .ci/gatling first".formatted(results));
        }
        LoadFile all = LoadFile.read(file)
                .with(runs.stream().filter(LoadReport::isMeasured).toList());
        Files.writeString(page, new LoadReport(all.runs()).html(results, page));
        all.write(file);
    }

    private String html(Path results, Path page) {
        List<String> sections = new ArrayList<>();
        sections.add(Html.section("missing", "Published runs", missing()));
        if (!runs.isEmpty()) {
            sections.add(Html.section("tables", "Tables", String.join("\n", tables())));
        }
        String links = links(results, page.toAbsolutePath().resolveSibling(""));
        if (!links.isEmpty()) {
            sections.add(Html.section("reports", "Gatling's own reports", "<ul>\n%s\n</ul>".formatted(links)));
        }
        return Html.page(
                "Registrar: load over HTTP",
                "The last run of each simulation under each load profile. Load generator, service and database share one"
                        + " machine, so the tables show a request's CPU time beside its rate. A rate has a bar if at"
                        + " least 1,000 requests followed a warm-up; each was measured once, and the pauses of the"
                        + " profile seed limit its rates.",
                String.join("\n", sections));
    }

    /** Returns which simulations have no published run, with their commands. */
    private String missing() {
        List<Simulations.Published> missing = Simulations.ALL.stream()
                .filter(simulation ->
                        run(simulation.name(), simulation.profile()).isEmpty())
                .toList();
        return missing.isEmpty()
                ? "<p>Each of the %s simulations has a published run.</p>".formatted(Simulations.ALL.size())
                : """
                        <p>%s of %s simulations have no published run. Their commands:</p>
                        <details>
                        <summary>Commands</summary>
                        <ul>
                        %s
                        </ul>
                        </details>""".formatted(
                                missing.size(),
                                Simulations.ALL.size(),
                                missing.stream()
                                        .map(Simulations.Published::command)
                                        .map(command -> "<li><code>%s</code></li>".formatted(Html.escape(command)))
                                        .collect(joining("\n")));
    }

    /* Gatling's own report of a run of an earlier build is gone, and a page in another folder may move without it. */
    private String links(Path results, Path folder) {
        return runs.stream()
                .map(run -> results.toAbsolutePath().resolve(run.folder()))
                .filter(report -> report.startsWith(folder) && Files.isDirectory(report))
                .map(report -> folder.relativize(report).resolve("index.html").toString())
                .map(link -> "<li><a href=\"%1$s\">%1$s</a></li>".formatted(Html.escape(link)))
                .collect(joining("\n"));
    }

    private List<String> tables() {
        return Stream.of(published(), speed(), Optional.of(all()))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<String> published() {
        List<List<Cell>> rows = new ArrayList<>();
        for (Ramp published : PUBLISHED) {
            run(published.simulation(), "seed")
                    .ifPresent(run -> rows.add(List.of(
                            Cell.of(published.name()),
                            Cell.of(published.rate()),
                            Cell.of(published.p99()),
                            Cell.of(published.limit()),
                            Cell.of(run.total().perSecond()),
                            Cell.of(run.total().perSecond() / published.limit()),
                            Cell.of(run.total().p95Millis() + " ms"),
                            Cell.of(run.total().p99Millis() + " ms"),
                            count(run.total().failed()),
                            Cell.of(published.remark()))));
        }
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(Html.table(
                        "The published ramp of up to 100 users with pauses",
                        List.of(
                                "Load",
                                "go-crablet",
                                "go-crablet's p99",
                                "limit by the pauses, req/s",
                                "ours, req/s",
                                "ours ÷ limit",
                                "our p95",
                                "our p99",
                                "failed",
                                "Remark"),
                        rows));
    }

    private Optional<String> speed() {
        return run("SpeedSimulation", null)
                .map(run -> Html.table(
                        "100 users without pauses, in turns with a baseline: a request only parsed and answered",
                        List.of(
                                "Request",
                                "req/s, each turn",
                                "÷ baseline",
                                "CPU µs/request, each turn",
                                "CPU ÷ baseline",
                                "p50",
                                "p99",
                                "failed"),
                        run.facts()
                                .path("speed")
                                .valueStream()
                                .map(row -> speed(
                                        run, row, run.facts().path("speed").path(0)))
                                .toList()));
    }

    private static List<Cell> speed(LoadRun run, JsonNode row, JsonNode baseline) {
        String kind = row.path("kind").asString();
        Requests requests = run.requests().stream()
                .filter(known -> known.name().equals(kind))
                .findAny()
                .orElseThrow();
        return List.of(
                Cell.of(kind),
                Cell.of(numbers(row.path("perSecond"))),
                Cell.of(quotient("perSecond", row, baseline, row.path("speedToEmpty"))),
                Cell.of(numbers(row.path("microsecondsOfCpu"))),
                Cell.of(quotient("microsecondsOfCpu", row, baseline, row.path("cpuToEmpty"))),
                Cell.of(requests.medianMillis() + " ms"),
                Cell.of(requests.p99Millis() + " ms"),
                count(requests.failed()));
    }

    /** Returns the median of the turns' quotients, and in parentheses the least and the greatest. */
    private static String quotient(String fact, JsonNode row, JsonNode baseline, JsonNode median) {
        DoubleSummaryStatistics turns = IntStream.range(0, row.path(fact).size())
                .mapToDouble(turn -> row.path(fact).path(turn).asDouble()
                        / baseline.path(fact).path(turn).asDouble())
                .summaryStatistics();
        return "%s (%s–%s)"
                .formatted(
                        Measured.text(median.asDouble()), Measured.text(turns.getMin()), Measured.text(turns.getMax()));
    }

    private static Cell count(long count) {
        return Cell.of(String.format(Locale.ROOT, "%,d", count));
    }

    private static String numbers(JsonNode array) {
        return array.valueStream()
                .map(number -> Measured.text(number.asDouble()))
                .collect(joining(", "));
    }

    private String all() {
        double most = runs.stream()
                .filter(LoadReport::isDrawn)
                .mapToDouble(run -> run.total().perSecond())
                .max()
                .orElse(1);
        return Html.table(
                "The last run of each simulation, without smoke runs",
                List.of(
                        "Simulation",
                        "Load profile",
                        "Requests",
                        "Failed",
                        "req/s",
                        "p50",
                        "p95",
                        "p99",
                        "CPU µs/request",
                        "held users/s",
                        "Warmed up",
                        "Measured"),
                runs.stream()
                        .map(run -> List.of(
                                Cell.of(run.simulation()),
                                Cell.of(run.profile()),
                                count(run.total().count()),
                                count(run.total().failed()),
                                new Cell(
                                        Measured.text(run.total().perSecond()),
                                        "",
                                        isDrawn(run) ? run.total().perSecond() / most : Double.NaN),
                                Cell.of(run.total().medianMillis() + " ms"),
                                Cell.of(run.total().p95Millis() + " ms"),
                                Cell.of(run.total().p99Millis() + " ms"),
                                Cell.of(run.microsecondsOfCpu()),
                                Cell.of(run.facts().path("usersPerSecondHeld").asString("")),
                                Cell.of(run.isWarmedUp() ? "yes" : "no"),
                                new Cell(
                                        "%s, %s".formatted(run.fact("begun"), run.fact("commit")),
                                        "%s; %s; Java %s; heap %s"
                                                .formatted(
                                                        run.server(),
                                                        run.machine(),
                                                        run.fact("java"),
                                                        run.fact("heap")),
                                        Double.NaN)))
                        .toList());
    }

    /* A smoke run ends before the JVM has warmed up: its numbers mean nothing. */
    private static boolean isMeasured(LoadRun run) {
        return !run.profile().equals("smoke");
    }

    /*
     * Before the JVM has compiled the code, a rate depends on the time since the start. A capacity run ends with
     * overload. The total of a run in turns mixes turns that cost more and less, and that of the listeners the time for
     * which a stream waits.
     */
    private static boolean isDrawn(LoadRun run) {
        return run.isWarmedUp()
                && run.total().count() >= FEWEST_DRAWN
                && !run.profile().equals("capacity")
                && !IN_TURNS.contains(run.simulation());
    }

    /** @param profile null for any profile */
    private Optional<LoadRun> run(String simulation, @Nullable String profile) {
        return runs.stream()
                .filter(run -> run.simulation().equals(simulation))
                .filter(run -> profile == null || run.profile().equals(profile))
                .findAny();
    }
}
