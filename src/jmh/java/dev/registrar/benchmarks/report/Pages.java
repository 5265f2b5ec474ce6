package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.joining;

import dev.registrar.benchmarks.report.Chart.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Writes the pages on the results of a folder: one with charts that answer questions, and one with all rows. */
public final class Pages {
    private static final String OVERVIEW = "index.html";
    private static final String ROWS = "rows.html";
    private static final List<Integer> CALLERS = List.of(1, 10, 100);

    private Pages() {}

    /** Takes the folder, which has a file of results, and may have others in the same form. */
    public static void main(String... arguments) throws IOException {
        Path folder = Path.of(arguments.length == 0 || arguments[0].isBlank() ? "docs/benchmarks" : arguments[0]);
        write(folder);
        System.out.println("The pages: " + folder.toAbsolutePath());
    }

    /** Writes both pages into the folder. */
    public static void write(Path folder) throws IOException {
        Map<String, Measured> rows = Results.below(folder).rows();
        Files.writeString(folder.resolve(OVERVIEW), overview(rows));
        Files.writeString(folder.resolve(ROWS), new RowsPage(rows).text());
    }

    private static String overview(Map<String, Measured> rows) {
        List<String> parts =
                new ArrayList<>(charts().stream().map(chart -> chart.html(rows)).toList());
        parts.removeIf(String::isEmpty);
        return Html.page(
                "Registrar: benchmarks",
                "What the event store does in a second, and how long a call takes. A bar is the median of the calls per"
                        + " second of all callers together; below it are the least and the greatest value, the median"
                        + " duration of a call and its 99th percentile. The callers and PostgreSQL share the machine.",
                """
                <div class="charts">
                %1$s
                </div>
                <p>The tables: <a href="%2$s">each row beside the published figure that it answers</a>,
                <a href="%2$s#all">all rows</a>. How it is measured: <code>docs/benchmarking.md</code>.</p>
                %3$s""".formatted(String.join("\n", parts), ROWS, runs(rows)));
    }

    /** Returns the charts of the overview. */
    static List<Chart> charts() {
        return List.of(
                new Chart(
                        "append-if",
                        "How many appends a second?",
                        "An append with a condition is refused if an event of the same tags exists.",
                        "callers",
                        CALLERS,
                        List.of(
                                new Line("with a condition", "append-if/no-conflict dataset=small events=1 callers=%s"),
                                new Line(
                                        "with a condition, both tags in use",
                                        "append-if/known-tags dataset=small callers=%s"),
                                new Line("without a condition", "append/concurrent dataset=small events=1 callers=%s"),
                                new Line("bare insert", "baseline/insert dataset=small callers=%s"))),
                new Chart(
                        "enroll",
                        "How many enrollments a second?",
                        "The rules read the course and the student, whose states are cached; every enrollment is"
                                + " accepted.",
                        "callers",
                        CALLERS,
                        List.of(
                                new Line("in many courses", "enrollment/many-courses dataset=small callers=%s"),
                                new Line("all in one course", "enrollment/one-course callers=%s"))),
                new Chart(
                        "decide",
                        "How many decisions a second, without a cache?",
                        "Each reads the 51 events of a course and the 6 of a student, decides, and appends if neither"
                                + " has changed.",
                        "callers",
                        CALLERS,
                        List.of(new Line("read, decide, append", "read/complex dataset=small callers=%s"))),
                new Chart(
                        "read",
                        "How many reads a second?",
                        "Reads by a tag, beside a round trip to the database that reads nothing.",
                        "callers",
                        CALLERS,
                        List.of(
                                new Line("no event", "read/concurrent dataset=small callers=%s"),
                                new Line("a student's 6 events", "read/student dataset=small callers=%s"),
                                new Line("fold a course's 51 events", "project/course dataset=small callers=%s"),
                                new Line(
                                        "bare select 1",
                                        "pool/select dataset=small load=single pool=bare callers=1",
                                        "pool/select dataset=small load=light pool=bare callers=10",
                                        "pool/select dataset=small load=heavy pool=bare callers=100"))),
                new Chart(
                        "store-size",
                        "Does it slow down as the store grows?",
                        "Appends a second with a condition, by the number of events that the store has.",
                        "events",
                        List.of(1_000, 10_000, 100_000, 1_000_000, 10_000_000),
                        List.of(
                                new Line("1 caller", "append-if/store-size stored=%s callers=1"),
                                new Line("100 callers", "append-if/store-size stored=%s callers=100"))),
                new Chart(
                        "http",
                        "And over HTTP?",
                        "Requests without pauses to the service, each simulation measured once for 20 s; the load"
                                + " generator shares the machine, too.",
                        "users",
                        List.of(100),
                        Stream.of("append", "append-if", "read", "project", "enrollment")
                                .map(name -> new Line(name, "load/%s profile=closed".formatted(name)))
                                .toList()));
    }

    /** Returns where and when the rows were measured. */
    private static String runs(Map<String, Measured> rows) {
        Set<Map<String, String>> runs = new TreeSet<>(
                Comparator.comparing(run -> run.getOrDefault("at", "").concat(run.toString())));
        rows.values().forEach(row -> runs.add(row.circumstances()));
        return runs.stream()
                .map(run -> """
                        <details>
                        <summary>Measured %.10s at commit %s on %s, PostgreSQL %s (%s): %s rows</summary>
                        <dl>
                        %s
                        </dl>
                        </details>""".formatted(
                                Html.escape(run.getOrDefault("at", "")),
                                Html.escape(run.getOrDefault("commit", "")),
                                Html.escape(run.getOrDefault("processors", "")),
                                Html.escape(run.getOrDefault("postgresql.server_version", "")),
                                Html.escape(run.getOrDefault("postgresql.kind", "")),
                                rows.values().stream()
                                        .filter(row -> row.circumstances().equals(run))
                                        .count(),
                                run.entrySet().stream()
                                        .map(fact -> "<dt>%s</dt><dd>%s</dd>"
                                                .formatted(Html.escape(fact.getKey()), Html.escape(fact.getValue())))
                                        .collect(joining("\n"))))
                .collect(joining("\n"));
    }
}
