package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.joining;

import dev.registrar.benchmarks.report.Html.Cell;
import dev.registrar.benchmarks.report.Published.Document;
import dev.registrar.eventstore.KebabCase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The page with a table for each published table, the rows that are slower than published, and all rows. */
final class RowsPage {
    private static final String NOTE =
            "A ratio divides our median rate by the rate of what the published benchmark really measured; machines and"
                    + " languages differ, so it shows the order of magnitude only. Where the published benchmark"
                    + " measured something else than its name says, the row of ours that does what the name says has no"
                    + " ratio. Our bytes per call include what the database driver allocates.";

    private final Map<String, Measured> rows;

    RowsPage(Map<String, Measured> rows) {
        this.rows = rows;
    }

    String text() {
        List<String> sections = new ArrayList<>();
        for (Document document : Document.values()) {
            String tables = Published.tables(document).entrySet().stream()
                    .map(table -> Html.table(
                            table.getKey(),
                            List.of(
                                    "Row",
                                    "Printed",
                                    "Really measured",
                                    "Ours",
                                    "Ratio",
                                    "Printed memory, allocations",
                                    "Our B/call",
                                    "Remark"),
                            table.getValue().stream().flatMap(this::lines).toList()))
                    .collect(joining("\n"));
            sections.add(Html.section(
                    KebabCase.of(document),
                    document.title,
                    "<p>%s.</p>\n%s".formatted(Html.escape(document.source), tables)));
        }
        sections.add(Html.section("slower", "Slower than published", slower()));
        sections.add(Html.section("all", "All rows", all()));
        return Html.page("Registrar: the rows of the benchmarks", NOTE, String.join("\n", sections));
    }

    private Stream<List<Cell>> lines(Published published) {
        List<List<Cell>> lines = new ArrayList<>();
        published.equivalents().forEach(row -> lines.add(line(published, row, true)));
        published.namesakes().forEach(row -> lines.add(line(published, row, false)));
        return lines.stream();
    }

    private List<Cell> line(Published published, String row, boolean comparable) {
        Optional<Measured> ours = Optional.ofNullable(rows.get(row));
        boolean isRate = !published.unit().startsWith("B");
        String rate = ours.map(found -> isRate
                        ? "%s %s".formatted(Measured.text(found.rate() * published.perCall()), published.unit())
                        : "")
                .orElse("");
        return List.of(
                Cell.of(published.name()),
                Cell.of(published.figure()),
                Cell.of(published.actual().isEmpty() ? "" : published.actual() + " " + published.unit()),
                new Cell(rate, row, Double.NaN),
                Cell.of(comparable ? ours.map(found -> ratio(published, found)).orElse("") : "not comparable"),
                Cell.of(published.memory()),
                Cell.of(ours.map(Measured::bytesPerCall).orElse(Double.NaN)),
                Cell.of(published.remark()));
    }

    private static String ratio(Published published, Measured ours) {
        List<Double> actual = published.rates();
        double rate = ours.rate() * published.perCall();
        if (actual.isEmpty()) {
            return "";
        }
        return actual.size() == 1
                ? Measured.text(rate / actual.getFirst())
                : "%s–%s".formatted(Measured.text(rate / actual.getLast()), Measured.text(rate / actual.getFirst()));
    }

    /** Returns the rows of which each round is below the published rate, the lowest ratio first. */
    private String slower() {
        Map<String, Double> ratios = new LinkedHashMap<>();
        for (Published published : Published.all()) {
            for (String row : published.rates().isEmpty() ? List.<String>of() : published.equivalents()) {
                Measured ours = rows.get(row);
                double rate = published.rates().getFirst() / published.perCall();
                if (ours != null && ours.most() < rate) {
                    ratios.merge(row, ours.rate() / rate, Math::min);
                }
            }
        }
        Map<String, String> reasons = Published.reasons();
        return "<p>The rows of which each measured value is below the published rate.</p>\n"
                + Html.table(
                        "Slower than published",
                        List.of("Row", "Ratio", "Reason"),
                        ratios.entrySet().stream()
                                .sorted(Map.Entry.comparingByValue())
                                .map(row -> List.of(
                                        Cell.of(row.getKey()),
                                        Cell.of(row.getValue()),
                                        Cell.of(reasons.getOrDefault(row.getKey(), "not explained yet"))))
                                .toList());
    }

    private String all() {
        return Html.table(
                "All rows",
                List.of(
                        "Row",
                        "calls/s: median (spread)",
                        "÷ baseline",
                        "p50",
                        "p99",
                        "CPU µs/call",
                        "÷ baseline",
                        "B/call",
                        "Measured"),
                rows.values().stream()
                        .map(row -> List.of(
                                new Cell(row.row(), row.remark(), Double.NaN),
                                Cell.of(row.spread()),
                                baseline(row)
                                        .map(baseline -> new Cell(
                                                Comparison.of(row, baseline).text(), row.baseline(), Double.NaN))
                                        .orElse(Cell.of("")),
                                Cell.of(millis(row.p50Millis())),
                                Cell.of(millis(row.p99Millis())),
                                Cell.of(Measured.median(row.cpuMicros())),
                                baseline(row)
                                        .filter(baseline -> !row.cpuMicros().isEmpty())
                                        .map(baseline -> Cell.of(
                                                Comparison.ofCpu(row, baseline).text()))
                                        .orElse(Cell.of("")),
                                Cell.of(row.bytesPerCall()),
                                Cell.of("%.10s, %s".formatted(row.fact("at"), row.fact("commit")))))
                        .toList());
    }

    private Optional<Measured> baseline(Measured row) {
        return Optional.ofNullable(rows.get(row.baseline())).filter(row::isBeside);
    }

    private static String millis(double value) {
        return Double.isNaN(value) ? "" : Measured.text(value) + " ms";
    }
}
