package dev.registrar.benchmarks.report;

import static dev.registrar.benchmarks.report.MadeUpResults.circumstances;
import static dev.registrar.benchmarks.report.MadeUpResults.result;
import static dev.registrar.benchmarks.report.MadeUpResults.steady;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.benchmarks.report.Table.Cell;
import dev.registrar.benchmarks.suite.Suite;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The table of the rows that are slower than what was published. */
class SlowerRowsTest {
    private static final String TINY = "append/single dataset=tiny callers=1";
    private static final String KEYS = "locks/one-key dataset=small callers=20";

    @Test
    void a_row_below_the_published_rate_is_listed_once() {
        List<List<String>> rows = rows(steady(TINY, 4_015));

        assertThat(rows)
                .containsExactly(List.of(
                        TINY,
                        "go-crablet, one client: Tiny Dataset Performance: AppendSingle",
                        "8,030 calls/s",
                        "4,015 ± 0 calls/s",
                        "0.500×",
                        rows.getFirst().getLast()));
    }

    @Test
    void a_row_within_a_published_range_is_not_slower() {
        assertThat(rows(steady(KEYS, 900))).isEmpty();
        assertThat(rows(steady(KEYS, 800))).hasSize(1);
    }

    @Test
    void a_row_whose_error_reaches_the_published_rate_is_not_slower() {
        assertThat(rows(result(TINY, 7_900.0, 8_100.0, 8_000.0, 7_900.0, 8_100.0)))
                .isEmpty();
        assertThat(rows(result(TINY, 7_400.0, 7_500.0, 7_450.0, 7_400.0, 7_500.0)))
                .hasSize(1);
    }

    @Test
    void every_reason_names_a_row_of_the_suite_that_is_compared() {
        Set<RowId> suite = Suite.rows();
        List<RowId> compared = PublishedRow.all().stream()
                .flatMap(row -> row.equivalents().stream())
                .toList();

        assertThat(SlowerRows.reasons()).isNotEmpty().allSatisfy((row, reason) -> {
            assertThat(suite).contains(row);
            assertThat(compared).contains(row);
            assertThat(reason).matches("[A-Z].*\\.");
        });
    }

    private static List<List<String>> rows(RowResult... results) {
        ResultFile file = new ResultFile(circumstances("abc1234"), List.of(results));
        return new SlowerRows(PublishedRow.all(), file)
                .table().rows().stream()
                        .map(row -> row.stream().map(Cell::text).toList())
                        .toList();
    }
}
