package dev.registrar.benchmarks.suite;

import java.util.ArrayList;
import java.util.List;

/** All rows of the suite, by group. */
final class AllRows {
    private AllRows() {}

    static List<Row> of(SuiteSettings settings) {
        List<Row> rows = new ArrayList<>();
        rows.addAll(AppendBenchmarks.rows(settings.dataSets()));
        rows.addAll(AppendIfBenchmarks.rows(settings.dataSets(), settings.huge()));
        rows.addAll(LockBenchmarks.rows());
        rows.addAll(JoinedBenchmarks.rows());
        rows.addAll(DurabilityBenchmarks.rows());
        rows.addAll(ReadBenchmarks.rows());
        rows.addAll(ProjectBenchmarks.rows());
        rows.addAll(EnrollmentBenchmarks.rows());
        rows.addAll(PoolBenchmarks.rows());
        rows.addAll(AblationBenchmarks.rows());
        return rows;
    }
}
