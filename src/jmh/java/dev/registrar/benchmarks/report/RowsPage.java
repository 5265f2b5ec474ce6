package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What the page of rows shows: each published table, the rows that are slower than published, and all rows. */
record RowsPage(Map<String, Measured> rows) {
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
    record Row(Measured measured, String ratio, String cpuRatio) {
        static Row of(Measured row, Map<String, Measured> rows) {
            Optional<Measured> baseline =
                    Optional.ofNullable(rows.get(row.baseline())).filter(row::isBeside);
            return new Row(
                    row,
                    baseline.map(other -> Comparison.of(row, other).text()).orElse(""),
                    baseline.filter(other -> !row.cpuMicros().isEmpty())
                            .map(other -> Comparison.ofCpu(row, other).text())
                            .orElse(""));
        }

        /** Returns a line of a table in Markdown. */
        String line() {
            return "| %s | %s | %s | %s | %s | %s | %s |"
                    .formatted(
                            measured.row(),
                            measured.spread(),
                            ratio.isEmpty() ? "" : ratio + " of " + measured.baseline(),
                            Measured.text(measured.p99Millis()),
                            Measured.text(measured.cpu()),
                            cpuRatio,
                            measured.remark());
        }
    }

    /** Returns the tables of each document, by name. */
    Map<Published.Document, Map<String, List<Line>>> documents() {
        return Published.all().stream()
                .flatMap(this::lines)
                .collect(groupingBy(
                        line -> line.published().document(),
                        LinkedHashMap::new,
                        groupingBy(line -> line.published().table(), LinkedHashMap::new, toList())));
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
        return rows.values().stream().map(row -> Row.of(row, rows)).toList();
    }
}
