package dev.registrar.benchmarks.report;

import static dev.registrar.benchmarks.report.Table.escape;
import static java.util.stream.Collectors.joining;

import dev.registrar.benchmarks.report.HtmlPage.Section;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** The page with all results. */
final class HtmlReport {
    private final ResultFile results;
    private final List<PublishedRow> all;
    private final PublishedTables published;

    HtmlReport(ResultFile results, List<PublishedRow> published) {
        this.results = results;
        this.all = List.copyOf(published);
        this.published = new PublishedTables(published, results);
    }

    String text() {
        List<Section> sections = new ArrayList<>();
        sections.add(new Section("circumstances", "Circumstances", circumstances()));
        sections.add(new Section("charts", "Charts", HtmlPage.charts(new Charts(results).all())));
        Stream.of(PublishedDocument.values()).map(this::section).forEach(sections::add);
        sections.add(new Section("slower", "Slower than published", slower()));
        ResultTables tables = new ResultTables(results);
        sections.add(new Section("unsteady", "Unsteady rows", unsteady(tables.unsteady())));
        sections.add(new Section("all", "All results", HtmlPage.tables(tables.full())));
        return new HtmlPage(
                        "Registrar: benchmarks",
                        "Measurements of the event store and of enrollments on one machine with %s, beside the published"
                                        .formatted(results.servers())
                                + " figures of other stores. " + PublishedTables.NOTE,
                        sections)
                .text();
    }

    private Section section(PublishedDocument document) {
        return new Section(
                document.id(),
                document.title(),
                "<p>%s</p>\n%s".formatted(escape(document.source()), HtmlPage.tables(published.full(document))));
    }

    private String slower() {
        Table rows = new SlowerRows(all, results).table();
        return rows.rows().isEmpty() ? "<p>None.</p>" : rows.html();
    }

    private static String unsteady(Table rows) {
        return "<p>%s</p>\n%s".formatted(escape(Report.STEADY), rows.rows().isEmpty() ? "<p>None.</p>" : rows.html());
    }

    private String circumstances() {
        String note = """
                <p>Rates are means over the iterations, with half of their 99.9 %% confidence interval (Student's t).
                This page contains the file of results:
                <a download="results.json" href="%s">save results.json</a>.</p>""".formatted(dataUrl());
        String runs = results.runs().stream()
                .map(run -> circumstances(run, run.equals(results.runs().getFirst())))
                .collect(joining("\n"));
        return note + "\n" + runs;
    }

    private static String circumstances(Run run, boolean open) {
        String facts = run.circumstances().entrySet().stream()
                .map(fact -> "<dt>%s</dt><dd>%s</dd>".formatted(escape(fact.getKey()), escape(fact.getValue())))
                .collect(joining("\n"));
        return """
                <details%s>
                <summary>%s, %s, commit %s: %d rows</summary>
                <dl>
                %s
                </dl>
                </details>""".formatted(
                        open ? " open=\"open\"" : "",
                        escape(run.at()),
                        escape(run.server()),
                        escape(run.commit()),
                        run.results().size(),
                        facts);
    }

    /** Returns a data URL that contains the file of results. */
    private String dataUrl() {
        byte[] file = results.text().getBytes(StandardCharsets.UTF_8);
        return "data:application/json;base64," + Base64.getEncoder().encodeToString(file);
    }
}
