package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.report.PublishedNames;
import dev.registrar.benchmarks.report.PublishedNames.Found;
import dev.registrar.benchmarks.report.RowId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The rows that a name selects.
 *
 * @param rows to measure; may be empty
 * @param explanation the explanation of the choice for the user, in lines
 */
record Choice(List<Row> rows, List<String> explanation) {
    private static final int NEAR = 10;

    Choice {
        rows = List.copyOf(rows);
        explanation = List.copyOf(explanation);
    }

    /**
     * Chooses the rows that answer the published rows of that name, in all documents and tables. If there are none,
     * chooses the rows whose id contains a match of the text as a regular expression, then those that answer published
     * rows whose name contains a match. Rows that run only on request are left out unless the text matches no others.
     *
     * @throws java.util.regex.PatternSyntaxException if the text is neither a published name nor a regular expression
     */
    static Choice of(String text, List<Row> all) {
        if (text.isBlank()) {
            return new Choice(all.stream().filter(row -> !row.onRequest()).toList(), List.of());
        }
        List<Found> named = PublishedNames.named(text);
        if (!named.isEmpty()) {
            return published(text, named, all);
        }
        Pattern pattern = Pattern.compile(text);
        List<Row> found = all.stream()
                .filter(row -> pattern.matcher(row.id().toString()).find())
                .toList();
        if (!found.isEmpty()) {
            List<Row> usual = found.stream().filter(row -> !row.onRequest()).toList();
            return new Choice(usual.isEmpty() ? found : usual, List.of());
        }
        List<Found> matching = PublishedNames.matching(pattern);
        return matching.isEmpty() ? nothing(text, all) : published(text, matching, all);
    }

    private static Choice published(String text, List<Found> found, List<Row> all) {
        Set<RowId> ids = new TreeSet<>();
        Set<String> lines = new LinkedHashSet<>();
        Set<String> commands = new LinkedHashSet<>();
        for (Found row : found) {
            ids.addAll(row.rows());
            lines.add(
                    row.simulation().isEmpty()
                            ? "%s: %s".formatted(row.label(), row.rows())
                            : "%s: answered over HTTP by Gatling's %s".formatted(row.label(), row.simulation()));
            if (!row.simulation().isEmpty()) {
                commands.add(("  mvn verify -pl gatling -am -DskipTests -Dgatling.skip=false -Dsimulation=%s"
                                + " -Dprofile=seed")
                        .formatted(row.simulation()));
            }
        }
        lines.addAll(commands);
        List<Row> rows = all.stream().filter(row -> ids.contains(row.id())).toList();
        if (rows.isEmpty() && !ids.isEmpty()) {
            lines.add("'%s' has no row on the chosen data set".formatted(text));
        }
        return new Choice(rows, List.copyOf(lines));
    }

    private static Choice nothing(String text, List<Row> all) {
        Set<String> names = new TreeSet<>(PublishedNames.all());
        all.forEach(row -> names.add(row.id().toString()));
        List<String> lines = new ArrayList<>();
        lines.add("'%s' is neither in a row's id nor in the name of a published row. Near it:".formatted(text));
        NearNames.to(text, names).stream().limit(NEAR).map(name -> "  " + name).forEach(lines::add);
        return new Choice(List.of(), lines);
    }
}
