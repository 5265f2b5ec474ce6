package dev.registrar.benchmarks.report;

import static dev.registrar.benchmarks.report.MadeUpResults.circumstances;
import static dev.registrar.benchmarks.report.MadeUpResults.steady;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.benchmarks.suite.Suite;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChartsTest {
    @Test
    void every_row_of_a_chart_is_in_the_suite() {
        assertThat(new Charts(MadeUpResults.ofAll(Suite.rows())).all())
                .isNotEmpty()
                .allSatisfy(chart -> assertThat(chart.missing()).isEmpty());
    }

    @Test
    void a_row_that_another_run_measured_is_not_drawn_beside_the_rows_of_a_chart() {
        String row = "append/concurrent dataset=small events=1 callers=%s";
        Map<String, String> later = new LinkedHashMap<>(circumstances("abc1234"));
        later.put("at", "2026-11-22T09:00:00Z");
        Chart chart = new Charts(new ResultFile(List.of(
                        new Run(later, List.of(steady(row.formatted(100), 9_000))),
                        new Run(
                                circumstances("abc1234"),
                                List.of(steady(row.formatted(1), 1_000), steady(row.formatted(10), 5_000))))))
                .all()
                .getFirst();

        assertThat(chart.series().getFirst().values()).containsExactly("1,000 ± 0", "5,000 ± 0", Numbers.OTHER_RUN);
    }
}
