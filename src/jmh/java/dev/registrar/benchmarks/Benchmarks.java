package dev.registrar.benchmarks;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.registrar.benchmarks.report.Measured;
import dev.registrar.benchmarks.report.Pages;
import dev.registrar.benchmarks.report.Published;
import dev.registrar.benchmarks.report.Results;
import dev.registrar.testdatabase.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.openjdk.jmh.runner.options.TimeValue;
import tools.jackson.databind.node.ObjectNode;

/**
 * Measures rows in rounds, each row in turns with its baseline.
 *
 * <p>docs/benchmarking.md lists the settings. Results go to {@code target/benchmarks}, in which a later run replaces
 * the rows that it measured, with the pages on them. They are written after every measurement. The output of JMH goes
 * to {@code target/benchmarks.log}.
 */
public final class Benchmarks {
    private static final Path FOLDER = Path.of("target", "benchmarks");
    /** The time for the start of a measurement's JVM and the copy of its database, in seconds. */
    private static final int START = 4;

    private final int rounds = Integer.parseInt(setting("rounds", "3"));
    private final TimeValue warmup = TimeValue.fromString(setting("warmup", "8s"));
    private final TimeValue measure = TimeValue.fromString(setting("measure", "4s"));
    private final Set<String> failed = new LinkedHashSet<>();
    private final Path file = FOLDER.resolve(Results.FILE);

    private Benchmarks() {}

    /** Takes a regular expression or the name of a published row, and measures these rows; without it, all. */
    public static void main(String[] arguments) throws IOException {
        String selection = arguments.length == 0 ? "" : arguments[0];
        List<BenchmarkRow> all = BenchmarkRow.all();
        List<BenchmarkRow> selected = selected(selection, all);
        if (selected.isEmpty()) {
            System.out.printf("'%s' is neither in a row's id nor the name of a published row. Rows:%n", selection);
            all.stream().map(BenchmarkRow::name).distinct().sorted().forEach(name -> System.out.println("  " + name));
            System.exit(1);
        }
        boolean allMeasured = new Benchmarks().run(selected, all);
        TestServer.stop();
        System.exit(allMeasured ? 0 : 1);
    }

    /** A setting of a program: Maven sets those properties to blank that the user has not given. */
    public static String setting(String name, String otherwise) {
        String given = System.getProperty(name, "");
        return given.isBlank() ? otherwise : given;
    }

    /** Returns the rows that a published row of this name names, or else those whose id contains a match. */
    static List<BenchmarkRow> selected(String text, List<BenchmarkRow> all) {
        Set<String> published = Published.rowsOf(text);
        String dataSet = setting("dataset", "");
        Pattern pattern = Pattern.compile(text);
        return all.stream()
                .filter(row -> published.isEmpty() ? pattern.matcher(row.id()).find() : published.contains(row.id()))
                .filter(row -> !text.isBlank() || !row.declared().onRequest())
                .filter(row -> row.template() != Template.HUGE || Boolean.getBoolean("huge"))
                .filter(row -> dataSet.isEmpty()
                        || row.shown().getOrDefault("dataset", dataSet).equals(dataSet))
                .toList();
    }

    /** Returns the rows in groups that take turns: a baseline and the rows by it, or rows of one name without one. */
    static Collection<List<BenchmarkRow>> groups(List<BenchmarkRow> selected, List<BenchmarkRow> all) {
        Map<String, BenchmarkRow> byId =
                all.stream().collect(Collectors.toMap(BenchmarkRow::id, Function.identity(), (one, other) -> one));
        Set<BenchmarkRow> rows = new LinkedHashSet<>();
        Set<String> baselines = new HashSet<>();
        for (BenchmarkRow row : selected) {
            if (!row.baseline().isEmpty()) {
                rows.add(Optional.ofNullable(byId.get(row.baseline()))
                        .orElseThrow(() -> new IllegalStateException("%s is by no row".formatted(row))));
                baselines.add(row.baseline());
            }
            rows.add(row);
        }
        return rows.stream()
                .collect(groupingBy(
                        row -> !row.baseline().isEmpty()
                                ? row.baseline()
                                : baselines.contains(row.id()) ? row.id() : row.name(),
                        LinkedHashMap::new,
                        toList()))
                .values();
    }

    private boolean run(List<BenchmarkRow> selected, List<BenchmarkRow> all) throws IOException {
        Collection<List<BenchmarkRow>> groups = groups(selected, all);
        int rows = groups.stream().mapToInt(List::size).sum();
        long seconds = warmup.convertTo(TimeUnit.SECONDS) + measure.convertTo(TimeUnit.SECONDS) + START;
        System.out.printf(
                "Rows: %s; with their baselines: %s; rounds: %s. About %s min, and the time to prepare databases%n",
                selected.size(), rows, rounds, Math.ceilDiv((long) rows * rounds * seconds, 60));
        Files.createDirectories(FOLDER);
        Results earlier = Files.exists(file) ? Results.read(file) : new Results(List.of());
        List<ObjectNode> measured = new ArrayList<>();
        try (PreparedDatabases databases = new PreparedDatabases(true)) {
            Map<String, String> circumstances = Circumstances.of(databases, thoroughness());
            circumstances.forEach((name, value) -> System.out.printf("%s: %s%n", name, value));
            for (List<BenchmarkRow> group : groups) {
                for (int round = 1; round <= rounds; round++) {
                    for (BenchmarkRow row : round % 2 == 1 ? group : group.reversed()) {
                        if (measure(row, databases, measured)) {
                            earlier.with(circumstances, measured).write(file);
                            Pages.write(FOLDER);
                        }
                    }
                }
            }
        }
        if (Files.exists(file)) {
            System.out.println();
            System.out.print(Results.read(file)
                    .table(selected.stream().map(BenchmarkRow::id).toList()));
        }
        failed.forEach(row -> System.out.println("FAILED: " + row));
        System.out.printf(
                "The pages: %s%nJMH's output: %s%n", FOLDER.toAbsolutePath(), Measurement.LOG.toAbsolutePath());
        return failed.isEmpty();
    }

    /* A row that has failed is not measured again. */
    private boolean measure(BenchmarkRow row, PreparedDatabases databases, List<ObjectNode> measured) {
        if (failed.contains(row.id())) {
            return false;
        }
        System.out.printf("%s: ", row.id());
        try {
            ObjectNode result = new Measurement(row).run(databases, warmup, measure, latest(row.baseline(), measured));
            measured.add(result);
            System.out.printf("%s/s%n", Measured.text(Measured.rates(result).getFirst()));
            return true;
        } catch (RuntimeException failure) {
            Measurement.log(failure);
            System.out.println("FAILED: " + failure.getMessage());
            failed.add(row.id());
            return false;
        }
    }

    /* The calls a second of a row in the round before or in this one; NaN if it was not measured yet. */
    private static double latest(String row, List<ObjectNode> measured) {
        return measured.reversed().stream()
                .filter(result -> result.path("row").asString().equals(row))
                .findFirst()
                .map(result -> Measured.rates(result).getFirst())
                .orElse(Double.NaN);
    }

    private Map<String, String> thoroughness() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("rounds", "%s, each in a JVM of its own".formatted(rounds));
        facts.put("warm-up", warmup.toString());
        facts.put("measured", measure.toString());
        return facts;
    }
}
