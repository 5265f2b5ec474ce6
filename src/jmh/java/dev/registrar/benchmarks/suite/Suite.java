package dev.registrar.benchmarks.suite;

import static java.util.stream.Collectors.toCollection;

import dev.registrar.benchmarks.Circumstances;
import dev.registrar.benchmarks.PreparedDatabases;
import dev.registrar.benchmarks.RunLog;
import dev.registrar.benchmarks.report.Report;
import dev.registrar.benchmarks.report.ResultFile;
import dev.registrar.benchmarks.report.RowId;
import dev.registrar.benchmarks.report.RowResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Measures rows of the suite.
 *
 * <p>{@code mvn -q verify -Pbenchmarks -Dbenchmarks=append-if/no-conflict} measures the rows whose id contains a match
 * of the regular expression. {@code -Ddataset} selects one data set; {@code -Dwarmup}, {@code -Diterations} and
 * {@code -Dmeasure} set times; {@code -Dhuge=true} adds the store of ten million events. Results go to
 * {@code target/benchmarks.json}, in which a later run replaces the rows that it measured, and as a page to
 * {@code target/benchmarks.html}. The output of JMH goes to {@code target/benchmarks.log}.
 */
public final class Suite {
    private static final Path RESULTS = Path.of("target", "benchmarks.json");
    private static final Path PAGE = Path.of("target", "benchmarks.html");

    private Suite() {}

    /** Takes a regular expression and measures the rows whose id contains a match; without it, all. */
    public static void main(String[] arguments) throws IOException {
        Pattern pattern = Pattern.compile(arguments.length == 0 ? "" : arguments[0]);
        SuiteSettings settings = SuiteSettings.ofThisProcess();
        List<Row> all = AllRows.of(settings);
        List<Row> chosen = all.stream()
                .filter(row -> pattern.matcher(row.id().toString()).find())
                .toList();
        if (chosen.isEmpty()) {
            System.out.printf("No row's id matches '%s'. Rows:%n", pattern);
            all.forEach(row -> System.out.println("  " + row.id()));
            System.exit(1);
        }
        boolean allMeasured = measured(chosen, settings);
        if (Files.exists(RESULTS)) {
            Report.write(RESULTS, PAGE);
            System.out.println("The report: " + PAGE.toAbsolutePath());
        }
        System.exit(allMeasured ? 0 : 1);
    }

    /** Returns the ids of all rows, on all data sets and up to ten million events. */
    public static SortedSet<RowId> rows() {
        SuiteSettings all = new SuiteSettings(SuiteSettings.DATA_SETS, TimeValue.NONE, 1, TimeValue.NONE, true);
        return AllRows.of(all).stream().map(Row::id).collect(toCollection(TreeSet::new));
    }

    private static boolean measured(List<Row> rows, SuiteSettings settings) {
        List<String> failed = new ArrayList<>();
        try (PreparedDatabases databases = new PreparedDatabases(false)) {
            Map<String, String> circumstances = Circumstances.of(databases, settings.thoroughness());
            circumstances.forEach((name, value) -> System.out.printf("%s: %s%n", name, value));
            long started = System.nanoTime();
            for (int done = 0; done < rows.size(); done++) {
                Row row = rows.get(done);
                System.out.printf(
                        "%d of %d%s: %s: ", done + 1, rows.size(), left(started, done, rows.size()), row.id());
                try {
                    RowResult result = new Measurement(row).run(databases, settings);
                    new ResultFile(circumstances, List.of(result)).write(RESULTS);
                    System.out.printf(
                            "%,.0f/s ± %,.0f%n",
                            result.callsPerSecond().value(),
                            result.callsPerSecond().error());
                } catch (RuntimeException failure) {
                    failure.printStackTrace(RunLog.stream());
                    System.out.println("FAILED: " + failure.getMessage());
                    failed.add(row.id().toString());
                }
            }
        }
        failed.forEach(row -> System.out.println("FAILED: " + row));
        return failed.isEmpty();
    }

    private static String left(long started, int done, int all) {
        if (done == 0) {
            return "";
        }
        Duration left = Duration.ofNanos((System.nanoTime() - started) / done * (all - done));
        return ", %d min %02d s left".formatted(left.toMinutes(), left.toSecondsPart());
    }
}
