package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.Circumstances;
import dev.registrar.benchmarks.PreparedDatabases;
import dev.registrar.benchmarks.RunLog;
import dev.registrar.benchmarks.report.ResultFile;
import dev.registrar.benchmarks.report.RowResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Measures rows of the suite.
 *
 * <p>{@code mvn -q verify -Pbenchmarks -Dbenchmarks=append-if/no-conflict} measures those whose id the regular
 * expression finds; {@code -Ddataset} keeps to one of the data sets, {@code -Dwarmup}, {@code -Diterations} and
 * {@code -Dmeasure} say how thoroughly; {@code -Dhuge=true} adds the ten million events. Results go to
 * {@code target/benchmarks.json}, in which a later run replaces what it measured. Everything that JMH says goes to
 * {@code target/benchmarks.log}.
 */
public final class Suite {
    static final Path RESULTS = Path.of("target", "benchmarks.json");

    private Suite() {}

    /** Measures the rows that the first argument, a regular expression, finds; all without one. */
    public static void main(String[] arguments) {
        Pattern pattern = Pattern.compile(arguments.length == 0 ? "" : arguments[0]);
        SuiteSettings settings = SuiteSettings.ofThisProcess();
        List<Row> all = AllRows.of(settings);
        List<Row> chosen = all.stream()
                .filter(row -> pattern.matcher(row.id().toString()).find())
                .toList();
        if (chosen.isEmpty()) {
            System.out.printf("No row is named like '%s'. There are:%n", pattern);
            all.forEach(row -> System.out.println("  " + row.id()));
            System.exit(1);
        }
        System.exit(measured(chosen, settings) ? 0 : 1);
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
                } catch (IllegalStateException failure) {
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
