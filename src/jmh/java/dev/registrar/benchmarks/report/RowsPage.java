package dev.registrar.benchmarks.report;

import dev.registrar.eventstore.KebabCase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What the page of rows shows: each published table, the rows that are slower than published, and all rows. */
record RowsPage(Map<String, Measured> rows) {
    /** A document of another store, with its tables. */
    record Document(String id, String title, String source, List<Table> tables) {}

    /** A published table. */
    record Table(String name, List<Line> lines) {}

    /**
     * A published row beside one of ours.
     *
     * @param ratio of the rates; "not comparable" if the published benchmark measured something else
     */
    record Line(Published published, String row, String rate, String ratio, String bytes) {}

    /** A row below the published rate. */
    record Slower(String row, double ratio, String reason) {
        public String text() {
            return Measured.text(ratio);
        }
    }

    /** A row beside its baseline, if that was measured in the same run. */
    record Row(Measured measured, String ratio, String cpuRatio) {}

    List<Document> documents() {
        return Stream.of(Published.Document.values())
                .map(document -> new Document(
                        KebabCase.of(document),
                        document.title,
                        document.source,
                        Published.tables(document).entrySet().stream()
                                .map(table -> new Table(
                                        table.getKey(),
                                        table.getValue().stream()
                                                .flatMap(this::lines)
                                                .toList()))
                                .toList()))
                .toList();
    }

    private Stream<Line> lines(Published published) {
        return Stream.concat(
                published.equivalents().stream().map(row -> line(published, row, true)),
                published.namesakes().stream().map(row -> line(published, row, false)));
    }

    private Line line(Published published, String row, boolean comparable) {
        Optional<Measured> ours = Optional.ofNullable(rows.get(row));
        return new Line(
                published,
                row,
                ours.filter(found -> published.isRate())
                        .map(found ->
                                "%s %s".formatted(Measured.text(found.rate() * published.perCall()), published.unit()))
                        .orElse(""),
                comparable ? ours.map(found -> ratio(published, found)).orElse("") : "not comparable",
                ours.map(found -> Measured.text(found.bytesPerCall())).orElse(""));
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
    List<Slower> slower() {
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
        return ratios.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .map(row -> new Slower(
                        row.getKey(), row.getValue(), reasons.getOrDefault(row.getKey(), "not explained yet")))
                .toList();
    }

    List<Row> all() {
        return rows.values().stream()
                .map(row -> {
                    Optional<Measured> baseline =
                            Optional.ofNullable(rows.get(row.baseline())).filter(row::isBeside);
                    return new Row(
                            row,
                            baseline.map(other -> Comparison.of(row, other).text())
                                    .orElse(""),
                            baseline.filter(other -> !row.cpuMicros().isEmpty())
                                    .map(other -> Comparison.ofCpu(row, other).text())
                                    .orElse(""));
                })
                .toList();
    }
}
