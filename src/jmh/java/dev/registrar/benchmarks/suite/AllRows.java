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
        rows.addAll(LockBenchmarks.rows(settings.dataSets()));
        rows.addAll(JoinedBenchmarks.rows());
        rows.addAll(DurabilityBenchmarks.rows());
        rows.addAll(ReadBenchmarks.rows(settings.dataSets()));
        rows.addAll(ProjectBenchmarks.rows(settings.dataSets()));
        rows.addAll(EnrollmentBenchmarks.rows(settings.dataSets()));
        rows.addAll(PoolBenchmarks.rows());
        rows.addAll(RebuildBenchmarks.rows());
        rows.addAll(ResilienceBenchmarks.rows());
        rows.addAll(AblationBenchmarks.rows());
        return rows;
    }
}
