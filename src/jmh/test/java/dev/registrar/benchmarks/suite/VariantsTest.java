package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkRow;
import dev.registrar.benchmarks.PreparedDatabases;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Every variant of a benchmark works. */
@Tag("thorough")
class VariantsTest {
    private static PreparedDatabases databases;

    @BeforeAll
    static void prepare() {
        databases = SuiteTest.preparedDatabases();
    }

    @AfterAll
    static void drop() {
        databases.close();
    }

    /** Calls the first row of each name and variant that {@link SuiteTest} does not call. */
    @TestFactory
    Stream<DynamicTest> every_variant_runs() {
        Collection<BenchmarkRow> others = SuiteTest.firstRows(row -> Stream.of(
                        Stream.of(row.name(), row.benchmark()),
                        row.shown().entrySet().stream()
                                .filter(shown -> !shown.getKey().matches("dataset|callers"))
                                .map(Map.Entry::getValue),
                        row.settled().values().stream())
                .flatMap(values -> values)
                .filter(value -> !value.matches("[0-9]+"))
                .toList());
        others.removeAll(SuiteTest.firstOfBenchmarks());
        return SuiteTest.tests(others, databases);
    }
}
