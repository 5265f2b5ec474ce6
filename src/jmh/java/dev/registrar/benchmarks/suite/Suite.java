package dev.registrar.benchmarks.suite;

import static java.util.stream.Collectors.toCollection;

import dev.registrar.TestServer;
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
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Measures rows of the suite.
 *
 * <p>{@code mvn -q verify -Pbenchmarks -Dbenchmarks=append-if/no-conflict} measures the rows whose id contains a match
 * of the regular expression; {@code -Dbenchmarks=AppendIf_NoConflict_12} those that answer a published row.
 * {@code -Ddataset} selects one data set; {@code -Dwarmup}, {@code -Diterations} and {@code -Dmeasure} set times; a row
 * that is not steady is measured again, {@code -Dattempts} times in all; {@code -Dhuge=true} adds the store of ten
 * million events. Results go to {@code target/benchmarks.json}, in which a later run replaces the rows that it
 * measured, and as a page to {@code target/benchmarks.html}. The output of JMH goes to {@code target/benchmarks.log}.
 */
public final class Suite {
    private static final Path RESULTS = Path.of("target", "benchmarks.json");
    private static final Path PAGE = Path.of("target", "benchmarks.html");

    private Suite() {}

    /** Takes the name of rows, as {@link Choice} explains, and measures these rows; without it, all. */
    public static void main(String[] arguments) throws IOException {
        SuiteSettings settings = SuiteSettings.ofThisProcess();
        Choice choice = Choice.of(arguments.length == 0 ? "" : arguments[0], AllRows.of(settings));
        choice.explanation().forEach(System.out::println);
        if (choice.rows().isEmpty()) {
            System.exit(1);
        }
        boolean allMeasured = measured(choice.rows(), settings);
        if (Files.exists(RESULTS)) {
            Report.write(RESULTS, PAGE);
            System.out.println("The report: " + PAGE.toAbsolutePath());
        }
        TestServer.stop();
        System.exit(allMeasured ? 0 : 1);
    }

    /** Returns the ids of all rows, on all data sets and up to ten million events. */
    public static SortedSet<RowId> rows() {
        SuiteSettings all = new SuiteSettings(SuiteSettings.DATA_SETS, TimeValue.NONE, 1, TimeValue.NONE, 1, true);
        return AllRows.of(all).stream().map(Row::id).collect(toCollection(TreeSet::new));
    }

    private static boolean measured(List<Row> rows, SuiteSettings settings) {
        List<String> failed = new ArrayList<>();
        try (PreparedDatabases databases = new PreparedDatabases(false)) {
            Map<String, String> circumstances = Circumstances.of(databases, settings.thoroughness());
            circumstances.forEach((name, value) -> System.out.printf("%s: %s%n", name, value));
            Duration expected = rows.stream()
                    .map(row -> row.length().of(settings).expected())
                    .reduce(Duration.ZERO, Duration::plus);
            System.out.printf("%d rows, %s if all are steady at once%n", rows.size(), text(expected));
            long started = System.nanoTime();
            int again = 0;
            int unsteady = 0;
            for (int done = 0; done < rows.size(); done++) {
                Row row = rows.get(done);
                System.out.printf(
                        "%d of %d%s: %s: ", done + 1, rows.size(), left(started, done, rows.size()), row.id());
                try {
                    RowResult result = new Measurement(row).run(databases, settings);
                    new ResultFile(circumstances, List.of(result)).write(RESULTS);
                    System.out.printf(
                            "%,.0f/s ± %,.0f%s%n",
                            result.callsPerSecond().value(),
                            result.callsPerSecond().error(),
                            result.unsteady().isEmpty() ? "" : ", UNSTEADY: " + result.unsteady());
                    again += result.attempts() > 1 ? 1 : 0;
                    unsteady += result.unsteady().isEmpty() ? 0 : 1;
                } catch (RuntimeException failure) {
                    failure.printStackTrace(RunLog.stream());
                    System.out.println("FAILED: " + failure.getMessage());
                    failed.add(row.id().toString());
                }
            }
            System.out.printf(
                    "%d rows in %s; %d measured again; %d unsteady%n",
                    rows.size(), text(Duration.ofNanos(System.nanoTime() - started)), again, unsteady);
        }
        failed.forEach(row -> System.out.println("FAILED: " + row));
        return failed.isEmpty();
    }

    private static String left(long started, int done, int all) {
        if (done == 0) {
            return "";
        }
        Duration left = Duration.ofNanos((System.nanoTime() - started) / done * (all - done));
        return ", %s left".formatted(text(left));
    }

    private static String text(Duration time) {
        return "%d min %02d s".formatted(time.toMinutes(), time.toSecondsPart());
    }
}
