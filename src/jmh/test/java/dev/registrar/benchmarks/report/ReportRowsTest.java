package dev.registrar.benchmarks.report;

import static dev.registrar.benchmarks.report.MadeUpResults.circumstances;
import static dev.registrar.benchmarks.report.MadeUpResults.result;
import static dev.registrar.benchmarks.report.MadeUpResults.steady;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rows of the report: published ones beside ours, and rows and values that were not measured. */
class ReportRowsTest extends ReportFixture {
    @Test
    void a_published_row_is_shown_beside_ours() throws Exception {
        new ResultFile(circumstances("abc1234"), List.of(steady("append/single dataset=tiny callers=1", 16_060)))
                .write(results);

        report();

        assertThat(tableRows("AppendSingle").findFirst().orElseThrow())
                .contains("8,030 ops/sec, 0.12ms", "8,030 calls/s", "16,060 ± 0 calls/s", "2.00×")
                .contains("append/single dataset=tiny callers=1");
    }

    @Test
    void a_row_that_is_not_steady_is_marked_and_neither_drawn_nor_compared() throws Exception {
        String row = "enrollment/many-courses dataset=small callers=100";
        new ResultFile(
                        circumstances("abc1234"),
                        List.of(
                                result(row, 781.0, 1_037.0, 1_071.0, 1_434.0, 1_778.0, 2_606.0, 3_104.0, 3_062.0),
                                steady("append/concurrent dataset=small events=1 callers=1", 1_000),
                                result("append/single dataset=tiny callers=1", 5.0, 50.0, 5.0, 50.0, 5.0)))
                .write(results);

        report();

        String reason = "rises by 1.37 of the value over its iterations";
        assertThat(Files.readString(results)).contains("\"unsteady\":\"" + reason + "\"");
        assertThat(tableRows(row).findFirst().orElseThrow()).contains(reason);
        assertThat(texts(figure("Writes per second"), "tr"))
                .contains("enroll, many coursesnot measurednot measurednot steady");
        assertThat(tableRows("AppendSingle").findFirst().orElseThrow())
                .contains("not steady")
                .noneMatch(cell -> cell.endsWith("×"));
        assertThat(texts(page, "small")).contains("not steady: " + reason);
    }

    @Test
    void a_ratio_that_the_error_reaches_says_so() throws Exception {
        String row = "append/single dataset=tiny callers=1";
        new ResultFile(circumstances("abc1234"), List.of(result(row, 7_900.0, 8_100.0, 8_000.0, 7_900.0, 8_100.0)))
                .write(results);

        report();

        assertThat(tableRows("AppendSingle").findFirst().orElseThrow()).contains("0.996×, within the error");
    }

    @Test
    void a_row_that_was_not_measured_is_marked() throws Exception {
        new ResultFile(circumstances("abc1234"), List.of()).write(results);

        report();

        assertThat(tableRows("AppendSingle"))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row).contains("not measured").doesNotContain("×"));
        assertThat(elements(parsed(Files.readString(page)), "figure"))
                .hasSize(9)
                .allSatisfy(figure -> assertThat(elements(figure, "table")).isEmpty());
    }

    @Test
    void a_value_that_was_not_measured_is_marked() throws Exception {
        RowId id = RowId.parse("read/batch as=list dataset=small callers=1");
        RowResult result = new RowResult(
                id.row(), id.parameters(), 1, 0, Estimate.of(List.of(5.0)), 7, Double.NaN, Double.NaN, Double.NaN, 1);
        new ResultFile(circumstances("abc1234"), List.of(result)).write(results);

        report();

        assertThat(tableRows("read/batch").findFirst().orElseThrow())
                .contains("5.00 ± ?", "none", "7.00", "not measured", "none returned", "2026-11-21T16:00:00Z")
                .doesNotContain("NaN")
                .doesNotContain("Infinity");
        assertThat(tableRows("Read Operations").findFirst().orElseThrow()).contains("not measured");
        assertThat(texts(page, "table")).noneMatch(text -> text.contains("NaN") || text.contains("∞"));
    }
}
