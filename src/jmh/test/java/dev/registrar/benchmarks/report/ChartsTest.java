package dev.registrar.benchmarks.report;

import static dev.registrar.benchmarks.report.MadeUpResults.circumstances;
import static dev.registrar.benchmarks.report.MadeUpResults.result;
import static dev.registrar.benchmarks.report.MadeUpResults.steady;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.benchmarks.suite.Suite;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;

class ChartsTest {
    @Test
    void every_row_of_a_chart_is_in_the_suite() {
        assertThat(new Charts(MadeUpResults.ofAll(Suite.rows())).all())
                .isNotEmpty()
                .allSatisfy(chart -> assertThat(chart.missing()).isEmpty());
    }

    @Test
    void a_chart_lists_its_rows_that_were_not_measured() {
        RowId missing = RowId.parse("append-if/store-size stored=10000000 callers=1");
        SortedSet<RowId> rows = Suite.rows();
        rows.remove(missing);

        assertThat(new Charts(MadeUpResults.ofAll(rows)).all().stream().flatMap(chart -> chart.missing().stream()))
                .containsExactly(missing);
    }

    @Test
    void a_sentence_has_a_ratio_where_both_rows_are_steady_and_else_says_what_is_drawn() {
        RowResult one = steady("append/concurrent dataset=small events=1 callers=1", 1_000);
        String many = "append/concurrent dataset=small events=1 callers=100";

        assertThat(shows(one, result(many, 9_400.0, 9_500.0, 9_600.0, 9_500.0, 9_500.0)))
                .isEqualTo(
                        "With 100 callers, append does 9.50 (9.23–9.77) times as many calls per second as with one.");
        assertThat(shows(one, result(many, 990.0, 1_010.0, 1_000.0, 1_010.0, 990.0)))
                .endsWith("with one; the interval includes 1, so no difference is shown.");
        assertThat(shows(one, result(many, 1.0, 9.0, 1.0, 9.0, 1.0)))
                .isEqualTo("Calls per second of all callers together, by kind of write and number of callers.");
    }

    @Test
    void a_row_that_another_run_measured_is_not_drawn_beside_the_rows_of_a_chart() {
        String row = "append/concurrent dataset=small events=1 callers=%d";
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

    private static String shows(RowResult... rows) {
        return new Charts(new ResultFile(circumstances("abc1234"), List.of(rows)))
                .all()
                .getFirst()
                .shows();
    }

    @Test
    void without_results_all_charts_are_empty() {
        assertThat(new Charts(MadeUpResults.ofAll(List.of())).all()).allMatch(Chart::isEmpty);
    }
}
