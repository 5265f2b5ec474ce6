package dev.registrar.benchmarks.report;

import static dev.registrar.benchmarks.report.Table.escape;
import static java.util.stream.Collectors.joining;

import dev.registrar.benchmarks.report.HtmlPage.Section;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The page with all results. */
final class HtmlReport {
    private static final String NONE = "<p>None.</p>";

    private final ResultFile results;
    private final List<PublishedRow> all;
    private final PublishedTables published;

    HtmlReport(ResultFile results, List<PublishedRow> published) {
        this.results = results;
        this.all = List.copyOf(published);
        this.published = new PublishedTables(published, results);
    }

    String text() {
        ResultTables tables = new ResultTables(results);
        List<Section> sections = new ArrayList<>();
        sections.add(new Section("run", "The run", run()));
        sections.add(new Section("headlines", "Headlines", headlines()));
        sections.add(new Section("charts", "Charts", charts()));
        Stream.of(PublishedDocument.values()).map(this::section).forEach(sections::add);
        sections.add(new Section("slower", "Slower than published", slower(new SlowerRows(all, results).table())));
        sections.add(new Section("not-steady", "Rows that are not steady", notSteady(tables.notSteady())));
        sections.add(new Section("all", "All results", HtmlPage.tables(tables.all())));
        sections.add(new Section("circumstances", "Circumstances", circumstances()));
        return new HtmlPage(
                        "Registrar: benchmarks",
                        "Measurements of the event store and of enrollments with %s, beside the published figures of"
                                        .formatted(results.servers())
                                + " other stores. Every ratio on this page divides steady rows only.",
                        sections)
                .text();
    }

    /** Returns the machine, server, commit and settings of the run that measured most rows. */
    private String run() {
        return results.mainRun()
                .map(run -> {
                    int others = results.results().size() - run.results().size();
                    Map<String, String> facts = new LinkedHashMap<>();
                    facts.put("Rows", "%s%s".formatted(run.results().size(), others == 0 ? "" : inOtherRuns(others)));
                    facts.put("Server", joined(run.server(), settings(run)));
                    facts.put("Machine", joined(run.fact("processors"), run.fact("memory"), run.fact("system")));
                    facts.put("Java", run.fact("java"));
                    facts.put("Commit", joined(run.commit(), run.at()));
                    facts.put(
                            "Rows by run",
                            results.runs().stream()
                                    .map(each -> "%s in the run of %s%s"
                                            .formatted(
                                                    each.results().size(),
                                                    each.at(),
                                                    each.settings().isEmpty() ? "" : ": " + each.settings()))
                                    .collect(joining("; ")));
                    facts.put("Rows of other lengths", Report.OTHER_LENGTHS);
                    return definitions(facts);
                })
                .orElse("<p>Nothing was measured.</p>");
    }

    private static String inOtherRuns(int rows) {
        return ", and %s in other runs: see Circumstances".formatted(rows);
    }

    private static String settings(Run run) {
        return Stream.of("fsync", "synchronous_commit", "full_page_writes", "shared_buffers", "max_wal_size")
                .map(name -> named(name, run.fact("postgresql." + name)))
                .filter(setting -> !setting.isEmpty())
                .collect(joining(", "));
    }

    /** Returns the name and the value; empty without a value. */
    private static String named(String name, String value) {
        return value.isEmpty() ? "" : "%s %s".formatted(name, value);
    }

    private static String joined(String... facts) {
        return Stream.of(facts).filter(fact -> !fact.isEmpty()).collect(joining("; "));
    }

    /* Without the facts that are not known. */
    private static String definitions(Map<String, String> facts) {
        return facts.entrySet().stream()
                .filter(fact -> !fact.getValue().isEmpty())
                .map(fact -> "<dt>%s</dt><dd>%s</dd>".formatted(escape(fact.getKey()), escape(fact.getValue())))
                .collect(joining("\n", "<dl>\n", "\n</dl>"));
    }

    private String headlines() {
        return """
                <p>Each ratio divides a row by a baseline of the same run, because the speed of a machine changes by up to a
                factor of two within an hour. The rows of a run are minutes apart, and the error covers one JVM only: rows
                that were measured in two runs differed by up to %1$s times. So a ratio from 1 ÷ %1$s to %1$s counts as
                no difference. For such ratios see the figures of docs/performance.md, which measure subject and
                baseline in turns.</p>
                %2$s""".formatted(Headlines.BETWEEN_RUNS, new Headlines(results).html());
    }

    private String charts() {
        return """
                <p>The bars start at 0. The lines on the bars of rates are the error: half of the 99.9 %% confidence
                interval; durations and bytes have none. A value without a bar is not steady, not measured or of another run, as the
                table below its chart says. All rates and durations of a chart are of one run. A sentence compares steady
                rows of one run; in parentheses is the ratio of two rates at the ends of both error intervals. The error
                covers one JVM, not how the machine changes from row to row.</p>
                %s""".formatted(HtmlPage.charts(new Charts(results).all()));
    }

    private Section section(PublishedDocument document) {
        return new Section(
                document.id(),
                document.title(),
                "<p>%s.</p>\n<p>%s</p>\n%s"
                        .formatted(
                                escape(document.source()),
                                escape(PublishedTables.NOTE),
                                HtmlPage.tables(published.of(document))));
    }

    private static String slower(Table rows) {
        return """
                <p>The steady rows whose rate is below the published one by more than their error, the lowest ratio first, with the reason.
                A ratio above about a half is within what two runs of a row differ by.</p>
                %s""".formatted(rows.rows().isEmpty() ? NONE : rows.html());
    }

    private static String notSteady(Table rows) {
        return "<p>%s</p>\n%s".formatted(escape(Report.STEADY), rows.rows().isEmpty() ? NONE : rows.html());
    }

    private String circumstances() {
        String note = """
                <p>Rates are means over the iterations, with half of their 99.9 %% confidence interval (Student's t).
                This page contains the file of results:
                <a download="results.json" href="%s">save results.json</a>.</p>""".formatted(dataUrl());
        String runs = results.runs().stream().map(HtmlReport::circumstances).collect(joining("\n"));
        return note + "\n" + runs;
    }

    private static String circumstances(Run run) {
        return """
                <details>
                <summary>%s, %s, commit %s: %s rows</summary>
                %s
                </details>""".formatted(
                        escape(run.at()),
                        escape(run.server()),
                        escape(run.commit()),
                        run.results().size(),
                        definitions(run.circumstances()));
    }

    /** Returns a data URL that contains the file of results. */
    private String dataUrl() {
        byte[] file = results.text().getBytes(StandardCharsets.UTF_8);
        return "data:application/json;base64," + Base64.getEncoder().encodeToString(file);
    }
}
