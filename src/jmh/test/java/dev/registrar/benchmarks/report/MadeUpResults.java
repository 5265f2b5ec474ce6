package dev.registrar.benchmarks.report;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Invented results. */
final class MadeUpResults {
    private MadeUpResults() {}

    static Map<String, String> circumstances(String commit) {
        Map<String, String> circumstances = new LinkedHashMap<>();
        circumstances.put("at", "2026-11-21T16:00:00Z");
        circumstances.put("commit", commit);
        circumstances.put("machine", "2 processors & 24 GB");
        return circumstances;
    }

    /** Creates a result with these rates of its iterations and two events per call. */
    static RowResult result(String row, Double... callsPerSecond) {
        RowId id = RowId.parse(row);
        return new RowResult(
                id.row(),
                id.parameters(),
                id.callers(),
                2,
                Estimate.of(List.of(callsPerSecond)),
                310.5,
                1_250,
                9_800,
                5_176,
                1);
    }

    /** Creates a result whose iterations are all equal, and so steady. */
    static RowResult steady(String row, double callsPerSecond) {
        return result(row, callsPerSecond, callsPerSecond, callsPerSecond, callsPerSecond, callsPerSecond);
    }

    static ResultFile ofAll(Collection<RowId> rows) {
        return new ResultFile(
                circumstances("abc1234"),
                rows.stream()
                        .map(row -> result(row.toString(), 990.0, 1_010.0, 1_000.0, 1_010.0, 990.0))
                        .toList());
    }
}
