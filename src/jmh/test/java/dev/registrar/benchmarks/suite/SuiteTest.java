package dev.registrar.benchmarks.suite;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.benchmarks.BenchmarkRow;
import dev.registrar.benchmarks.Measurement;
import dev.registrar.benchmarks.PreparedDatabases;
import dev.registrar.benchmarks.Template;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every benchmark works; speed is not checked. */
class SuiteTest {
    /** Less computation and fewer events, by the names of parameters. */
    private static final Map<String, String> LESS =
            Map.of("number", "20", "data", "TINY", "before", "200", "after", "1", "history", "3000", "seats", "50");

    private static final List<BenchmarkRow> ROWS = BenchmarkRow.all().stream()
            .filter(row -> !row.benchmark().contains(BrokenBenchmark.class.getSimpleName()))
            .toList();

    private static PreparedDatabases databases;

    @BeforeAll
    static void prepare() {
        databases = preparedDatabases();
    }

    static PreparedDatabases preparedDatabases() {
        // Set before the first use of JMH. Concurrent runs on the machine are harmless, because the test measures no
        // times.
        System.setProperty("jmh.executor", "VIRTUAL");
        System.setProperty("jmh.ignoreLock", "true");
        return new PreparedDatabases(false);
    }

    @AfterAll
    static void drop() {
        databases.close();
    }

    /** Calls the first row of each benchmark. */
    @TestFactory
    Stream<DynamicTest> every_benchmark_runs() {
        return tests(firstOfBenchmarks(), databases);
    }

    static Collection<BenchmarkRow> firstOfBenchmarks() {
        return firstRows(BenchmarkRow::benchmark);
    }

    static Collection<BenchmarkRow> firstRows(Function<BenchmarkRow, Object> key) {
        Map<Object, BenchmarkRow> first = new LinkedHashMap<>();
        ROWS.forEach(row -> first.putIfAbsent(key.apply(row), row));
        return first.values();
    }

    static Stream<DynamicTest> tests(Collection<BenchmarkRow> rows, PreparedDatabases databases) {
        return rows.stream()
                .map(row -> DynamicTest.dynamicTest(row.id(), () -> new Measurement(brief(row)).runOnce(databases)));
    }

    private static BenchmarkRow brief(BenchmarkRow row) {
        return row.on(
                switch (row.template()) {
                    case TINY, SMALL, MEDIUM -> Template.TINY;
                    case LARGE, HUGE, PEERS -> Template.SMALL;
                    case FRESHMEN, FEW_FRESHMEN -> Template.FEW_FRESHMEN;
                    case TAGGED_2000, TAGGED_100000, TAGGED_1000000 -> Template.TAGGED_2000;
                    case EMPTY -> Template.EMPTY;
                },
                LESS);
    }

    @Test
    void every_benchmark_has_a_row() {
        Set<String> benchmarks = BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())
                .stream()
                .map(benchmark -> benchmark.getUsername())
                .filter(name -> name.startsWith(BenchmarkRow.class.getPackageName()))
                .collect(toCollection(TreeSet::new));

        assertThat(BenchmarkRow.all()).extracting(BenchmarkRow::benchmark).containsAll(benchmarks);
        assertThat(benchmarks).hasSizeGreaterThan(50);
    }

    @Test
    void no_two_rows_have_the_same_id() {
        assertThat(ROWS).extracting(BenchmarkRow::id).doesNotHaveDuplicates();
    }

    @Test
    void every_baseline_is_a_row() {
        Set<String> ids = ROWS.stream().map(BenchmarkRow::id).collect(toCollection(TreeSet::new));

        assertThat(ROWS)
                .extracting(BenchmarkRow::baseline)
                .filteredOn(baseline -> !baseline.isEmpty())
                .isSubsetOf(ids);
    }

    @Test
    void a_benchmark_fails_if_a_call_does_not_return_what_it_expects() {
        BenchmarkRow wrong = BenchmarkRow.all().stream()
                .filter(row -> row.name().equals(BrokenBenchmark.NAME))
                .findAny()
                .orElseThrow();

        assertThatThrownBy(() -> new Measurement(wrong).runOnce(databases))
                .isInstanceOf(IllegalStateException.class)
                .hasStackTraceContaining("Expected 2 new events");
    }
}
