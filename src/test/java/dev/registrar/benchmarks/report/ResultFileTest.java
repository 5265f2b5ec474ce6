package dev.registrar.benchmarks.report;

import static dev.registrar.benchmarks.report.MadeUpResults.circumstances;
import static dev.registrar.benchmarks.report.MadeUpResults.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
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
    void what_was_written_is_read() {
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
                5_176);
        ResultFile results = new ResultFile(circumstances("abc1234"), List.of(exact, result(APPEND, 10.0, 12.0)));

        results.write(file);

        assertThat(ResultFile.read(file)).isEqualTo(results);
        assertThat(ResultFile.read(file).runs().getFirst().circumstances().keySet())
                .containsExactly("at", "commit", "machine");
    }

    @Test
    void a_number_has_six_digits_that_count() {
        new ResultFile(circumstances("abc1234"), List.of(result(APPEND, 12_345.678_9, 0.012_345_678_9))).write(file);

        assertThat(ResultFile.read(file).results().getFirst().callsPerSecond().iterations())
                .containsExactly(12_345.7, 0.012_345_7);
    }

    @Test
    void what_was_not_measured_stays_so() {
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
                Double.NaN);

        new ResultFile(circumstances("abc1234"), List.of(result)).write(file);

        assertThat(ResultFile.read(file).find(id)).contains(result);
    }

    @Test
    void a_later_run_replaces_what_it_measured_and_nothing_else() {
        new ResultFile(circumstances("first"), List.of(result(APPEND, 1.0), result(BATCH_OF_2, 2.0))).write(file);

        new ResultFile(circumstances("second"), List.of(result(APPEND, 3.0), result(BATCH_OF_10, 4.0))).write(file);

        assertThat(ResultFile.read(file).runs())
                .containsExactly(
                        new Run(circumstances("second"), List.of(result(BATCH_OF_10, 4.0), result(APPEND, 3.0))),
                        new Run(circumstances("first"), List.of(result(BATCH_OF_2, 2.0))));
    }

    @Test
    void a_run_of_which_nothing_is_left_is_forgotten() {
        new ResultFile(circumstances("first"), List.of(result(APPEND, 1.0))).write(file);

        new ResultFile(circumstances("second"), List.of(result(APPEND, 3.0))).write(file);

        assertThat(ResultFile.read(file).runs()).extracting(Run::commit).containsExactly("second");
    }

    @Test
    void a_run_may_write_its_rows_one_after_the_other() {
        new ResultFile(circumstances("abc1234"), List.of(result(APPEND, 1.0))).write(file);
        new ResultFile(circumstances("abc1234"), List.of(result(BATCH_OF_2, 2.0))).write(file);
        new ResultFile(circumstances("abc1234"), List.of(result(APPEND, 3.0))).write(file);

        assertThat(ResultFile.read(file).runs())
                .containsExactly(
                        new Run(circumstances("abc1234"), List.of(result(BATCH_OF_2, 2.0), result(APPEND, 3.0))));
    }

    @Test
    void a_result_is_a_line() throws IOException {
        new ResultFile(circumstances("abc1234"), List.of(result(APPEND, 1.0, 2.0, 4.0), result(BATCH_OF_2, 2.0)))
                .write(file);

        assertThat(Files.readAllLines(file))
                .filteredOn(line -> line.contains("callsPerSecond"))
                .hasSize(2);
        assertThat(directory).isDirectoryContaining(path -> path.equals(file)).isDirectoryNotContaining("glob:**.new");
    }

    @Test
    void a_row_is_measured_once() {
        assertThatThrownBy(() ->
                        new ResultFile(circumstances("abc1234"), List.of(result(APPEND, 1.0), result(APPEND, 2.0))))
                .hasMessageContaining(APPEND);
    }
}
