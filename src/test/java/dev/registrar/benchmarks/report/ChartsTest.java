package dev.registrar.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.benchmarks.suite.Suite;
import java.util.List;
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
    void without_results_all_charts_are_empty() {
        assertThat(new Charts(MadeUpResults.ofAll(List.of())).all()).allMatch(Chart::isEmpty);
    }
}
