package dev.registrar.benchmarks.report;

import static dev.registrar.benchmarks.report.MadeUpResults.circumstances;
import static dev.registrar.benchmarks.report.MadeUpResults.result;
import static dev.registrar.benchmarks.report.MadeUpResults.steady;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.benchmarks.report.Comparison.Intervals;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareTest {
    private static final String APPEND = "append/single dataset=small callers=1";
    private static final String READ = "read/last callers=1";
    private static final String ENROLL = "enrollment/one-course callers=10";

    @TempDir
    private Path directory;

    @Test
    void intervals_that_touch_overlap() {
        assertThat(Intervals.of(estimate(100, 10), estimate(120, 10))).isEqualTo(Intervals.OVERLAP);
        assertThat(Intervals.of(estimate(120, 10), estimate(100, 10))).isEqualTo(Intervals.OVERLAP);
        assertThat(Intervals.of(estimate(100, 10), estimate(121, 10))).isEqualTo(Intervals.APART);
        assertThat(Intervals.of(estimate(121, 10), estimate(100, 10))).isEqualTo(Intervals.APART);
    }

    @Test
    void rows_of_both_files_are_compared_and_other_rows_are_listed() {
        Path before = directory.resolve("before.json");
        Path after = directory.resolve("after.json");
        new ResultFile(circumstances("first"), List.of(steady(APPEND, 100), result(READ, 1.0))).write(before);
        new ResultFile(circumstances("second"), List.of(steady(APPEND, 250), result(ENROLL, 1.0))).write(after);

        String text = Compare.text(before, after);

        assertThat(text)
                .contains("| %s | 100 ± 0 | 250 ± 0 | 2.50 | apart |".formatted(APPEND))
                .endsWith("""

                        Only in %s:
                          %s

                        Only in %s:
                          %s
                        """.formatted(before, READ, after, ENROLL));
    }

    @Test
    void a_row_that_is_not_steady_is_not_compared() {
        assertThat(Intervals.of(steady(APPEND, 100), result(APPEND, 10.0, 100.0, 10.0, 100.0, 10.0)))
                .isEqualTo(Intervals.NOT_STEADY);
        assertThat(Intervals.of(result(APPEND, 100.0), steady(APPEND, 100))).isEqualTo(Intervals.NOT_STEADY);
        assertThat(Intervals.of(steady(APPEND, 100), steady(APPEND, 200))).isEqualTo(Intervals.APART);
    }

    private static Estimate estimate(double value, double error) {
        return new Estimate(value, error, List.of(value));
    }
}
