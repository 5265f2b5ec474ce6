package dev.registrar.benchmarks.suite;

import static java.util.stream.Collectors.toCollection;

import dev.registrar.benchmarks.Circumstances;
import dev.registrar.benchmarks.PreparedDatabases;
import dev.registrar.benchmarks.Progress;
import dev.registrar.benchmarks.RunLog;
import dev.registrar.benchmarks.report.Report;
import dev.registrar.benchmarks.report.ResultFile;
import dev.registrar.benchmarks.report.RowId;
import dev.registrar.benchmarks.report.RowResult;
import dev.registrar.testdatabase.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Measures rows of the suite.
 *
 * <p>{@code mvn -q process-test-classes exec:exec -Dselect=append-if/no-conflict} measures the rows whose id contains a
 * match of the regular expression; {@code -Dselect=AppendIf_NoConflict_12} those that answer a published row.
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
        System.out.println(plan(choice.rows(), settings));
        boolean allMeasured = measured(choice.rows(), settings);
        if (Files.exists(RESULTS)) {
            Report.write(RESULTS, PAGE);
            System.out.printf(
                    "The results page: %s%nIts results: %s%n", PAGE.toAbsolutePath(), RESULTS.toAbsolutePath());
        }
        System.out.printf("The output of JMH: %s%n", RunLog.FILE.toAbsolutePath());
        TestServer.stop();
        System.exit(allMeasured ? 0 : 1);
    }

    /** Returns the ids of all rows, on all data sets and up to ten million events. */
    public static SortedSet<RowId> rows() {
        SuiteSettings all = new SuiteSettings(SuiteSettings.DATA_SETS, TimeValue.NONE, 1, TimeValue.NONE, 1, true);
        return AllRows.of(all).stream().map(Row::id).collect(toCollection(TreeSet::new));
    }

    private static String plan(List<Row> rows, SuiteSettings settings) {
        return "%s: %s if the first attempt of each is steady, %s if each needs %s"
                .formatted(
                        counted(rows.size(), "row"),
                        Progress.text(
                                total(rows, row -> row.length().of(settings).shortest())),
                        Progress.text(
                                total(rows, row -> row.length().of(settings).longest())),
                        counted(settings.attempts(), "attempt"));
    }

    private static Duration total(List<Row> rows, Function<Row, Duration> time) {
        return rows.stream().map(time).reduce(Duration.ZERO, Duration::plus);
    }

    private static String counted(int number, String what) {
        return "%s %s%s".formatted(number, what, number == 1 ? "" : "s");
    }

    private static boolean measured(List<Row> rows, SuiteSettings settings) {
        List<String> failed = new ArrayList<>();
        System.out.println("Starting the database server");
        try (PreparedDatabases databases = new PreparedDatabases(false)) {
            Map<String, String> circumstances = Circumstances.of(databases, settings.thoroughness());
            circumstances.forEach((name, value) -> System.out.printf("%s: %s%n", name, value));
            Progress progress = new Progress(rows.size());
            int again = 0;
            int notSteady = 0;
            for (Row row : rows) {
                databases.prepare(row.template());
                System.out.printf("%s: %s: ", progress.next(), row.id());
                try {
                    RowResult result = new Measurement(row).run(databases, settings);
                    new ResultFile(circumstances, List.of(result)).write(RESULTS);
                    System.out.printf(
                            Locale.ROOT,
                            "%,.0f/s ± %,.0f%s%n",
                            result.callsPerSecond().value(),
                            result.callsPerSecond().error(),
                            result.unsteady().isEmpty() ? "" : ", NOT STEADY: " + result.unsteady());
                    again += result.attempts() > 1 ? 1 : 0;
                    notSteady += result.unsteady().isEmpty() ? 0 : 1;
                } catch (RuntimeException failure) {
                    failure.printStackTrace(RunLog.stream());
                    System.out.println("FAILED: " + failure.getMessage());
                    failed.add(row.id().toString());
                }
            }
            System.out.printf(
                    "%s in %s; %s measured again; %s not steady%n",
                    counted(rows.size(), "row"), Progress.text(progress.sinceStart()), again, notSteady);
        }
        failed.forEach(row -> System.out.println("FAILED: " + row));
        return failed.isEmpty();
    }
}
