package dev.registrar.benchmarks.report;

import static dev.registrar.benchmarks.report.MadeUpResults.circumstances;
import static dev.registrar.benchmarks.report.MadeUpResults.result;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFileTest {
    private static final String APPEND = "append/single dataset=small callers=1";
    private static final String BATCH_OF_2 = "append/batch dataset=small events=2 callers=1";
    private static final String BATCH_OF_10 = "append/batch dataset=small events=10 callers=1";

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void name() {
        file = directory.resolve("results.json");
    }

    @Test
    void a_written_file_reads_back_the_same() {
        RowId id = RowId.parse(BATCH_OF_10);
        RowResult exact = new RowResult(
                id.row(),
                id.parameters(),
                id.callers(),
                10,
                new Estimate(2.5, 0.75, List.of(2.25, 2.5, 2.75)),
                310.5,
                1_250,
                9_800,
                5_176,
                2);
        ResultFile results = new ResultFile(circumstances("abc1234"), List.of(exact, result(APPEND, 10.0, 12.0)));

        results.write(file);

        assertThat(ResultFile.read(file)).isEqualTo(results);
        assertThat(ResultFile.read(file).runs().getFirst().circumstances().keySet())
                .containsExactly("at", "commit", "machine");
    }

    @Test
    void a_value_that_was_not_measured_reads_back_as_such() {
        RowId id = RowId.parse(APPEND);
        RowResult result = new RowResult(
                id.row(),
                id.parameters(),
                1,
                1,
                Estimate.of(List.of(5.0)),
                Double.NaN,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                1);

        new ResultFile(circumstances("abc1234"), List.of(result)).write(file);

        assertThat(ResultFile.read(file).find(id)).contains(result);
    }

    @Test
    void a_later_run_replaces_only_the_rows_that_it_measured() {
        new ResultFile(circumstances("first"), List.of(result(APPEND, 1.0), result(BATCH_OF_2, 2.0))).write(file);

        new ResultFile(circumstances("second"), List.of(result(APPEND, 3.0), result(BATCH_OF_10, 4.0))).write(file);

        assertThat(ResultFile.read(file).runs())
                .containsExactly(
                        new Run(circumstances("second"), List.of(result(BATCH_OF_10, 4.0), result(APPEND, 3.0))),
                        new Run(circumstances("first"), List.of(result(BATCH_OF_2, 2.0))));
    }
}
