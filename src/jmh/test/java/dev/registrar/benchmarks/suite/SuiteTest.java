package dev.registrar.benchmarks.suite;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.benchmarks.PreparedDatabases;
import dev.registrar.benchmarks.Template;
import dev.registrar.benchmarks.figures.Figures;
import dev.registrar.benchmarks.report.RowId;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every benchmark of the suite and of the figures works; speed is not checked. */
class SuiteTest {
    private static final SuiteSettings TINY =
            new SuiteSettings(List.of(Template.TINY), TimeValue.NONE, 1, TimeValue.NONE, 1, false);

    private static PreparedDatabases databases;

    @BeforeAll
    static void prepare() {
        // Set before the first use of JMH. Concurrent runs on the machine are harmless, because the test measures no
        // times.
        System.setProperty("jmh.executor", "VIRTUAL");
        System.setProperty("jmh.ignoreLock", "true");
        databases = new PreparedDatabases(true);
    }

    @AfterAll
    static void drop() {
        databases.close();
    }

    /** Runs the first row of each benchmark: with the least data and the fewest callers. */
    @TestFactory
    Stream<DynamicTest> every_benchmark_runs() {
        return firstRows(row -> row.benchmark().getName() + "." + row.method());
    }

    /** Runs the first row of each name and variant. */
    @TestFactory
    @Tag("thorough")
    Stream<DynamicTest> every_variant_runs() {
        return firstRows(row -> Stream.concat(
                        Stream.of(row.name(), row.method()),
                        row.parameters().values().stream().filter(value -> !value.matches("[0-9]+")))
                .toList());
    }

    private static Stream<DynamicTest> firstRows(Function<Row, Object> key) {
        Map<Object, Row> first = new LinkedHashMap<>();
        AllRows.of(TINY).forEach(row -> first.putIfAbsent(key.apply(row), row));
        return first.values().stream()
                .map(row -> DynamicTest.dynamicTest(
                        row.id().toString(), () -> new Measurement(brief(row)).runOnce(databases)));
    }

    /* Less data and less computation. */
    private static Row brief(Row row) {
        Row small = row.template() == Template.SMALL ? row.on(Template.TINY) : row;
        return row.parameters().containsKey("number") ? small.settling("number", 20) : small;
    }

    /** Runs the benchmarks that are measured beside their baselines. */
    @TestFactory
    Stream<DynamicTest> every_benchmark_of_the_figures_runs() {
        return benchmarksIn(Figures.class.getPackageName()).stream()
                .map(name -> DynamicTest.dynamicTest(name, () -> new Measurement(figure(name)).runOnce(databases)));
    }

    private static Row figure(String benchmark) throws ClassNotFoundException {
        int dot = benchmark.lastIndexOf('.');
        Class<?> ofFigures = Class.forName(benchmark.substring(0, dot));
        Template template = switch (ofFigures.getSimpleName()) {
            case "ConditionBenchmark" -> Template.HOT;
            case "EnrollBenchmark" -> Template.FRESHMEN;
            default -> Template.TINY;
        };
        return Row.of("figures/benchmark", ofFigures, benchmark.substring(dot + 1))
                .on(template);
    }

    private static Set<String> benchmarksIn(String packageName) {
        return BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())
                .stream()
                .map(benchmark -> benchmark.getUsername())
                .filter(name -> name.startsWith(packageName + "."))
                .collect(toCollection(TreeSet::new));
    }

    @Test
    void every_benchmark_has_a_row() {
        Set<String> benchmarks = benchmarksIn(SuiteTest.class.getPackageName());
        benchmarks.removeIf(name -> name.startsWith(BrokenBenchmark.class.getName()));

        assertThat(AllRows.of(TINY))
                .extracting(row -> row.benchmark().getName() + "." + row.method())
                .containsAll(benchmarks);
        assertThat(benchmarks).hasSizeGreaterThan(30);
    }

    @Test
    void no_two_rows_have_the_same_id() {
        List<Row> rows =
                AllRows.of(new SuiteSettings(SuiteSettings.DATA_SETS, TimeValue.NONE, 1, TimeValue.NONE, 1, true));

        assertThat(rows).extracting(Row::id).doesNotHaveDuplicates();
        assertThat(rows).extracting(Row::id).map(RowId::toString).allMatch(id -> RowId.parse(id) != null);
    }

    @Test
    void a_benchmark_fails_if_a_call_does_not_return_what_it_expects() {
        Row wrong = Row.of("append/broken", BrokenBenchmark.class, "expectsTwoEventsOfOne")
                .on(Template.EMPTY);

        assertThatThrownBy(() -> new Measurement(wrong).runOnce(databases))
                .isInstanceOf(IllegalStateException.class)
                .hasStackTraceContaining("Expected 2 new events");
    }
}
