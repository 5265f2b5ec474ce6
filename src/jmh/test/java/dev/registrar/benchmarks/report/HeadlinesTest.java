package dev.registrar.benchmarks.report;

import static dev.registrar.benchmarks.report.MadeUpResults.circumstances;
import static dev.registrar.benchmarks.report.MadeUpResults.result;
import static dev.registrar.benchmarks.report.MadeUpResults.steady;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The ratios at the top of the page. */
class HeadlinesTest {
    private static final String GROUP = "ablation/append-if dataset=small strategy=group-append callers=%s";
    private static final String LOCK = "ablation/append-if dataset=small strategy=one-advisory-lock callers=%s";

    @Test
    void a_headline_divides_a_row_by_its_baseline_and_says_what_both_are() {
        String html = html(new ResultFile(
                circumstances("abc1234"),
                List.of(
                        result(GROUP.formatted(100), 990.0, 1_010.0, 1_000.0, 1_010.0, 990.0),
                        steady(LOCK.formatted(100), 250))));

        assertThat(html)
                .contains("<p class=\"ratio\">4.00×</p>")
                .contains(
                        "Group append does 1,000 ± 39 calls/s; the baseline, the fastest other protection, with the same"
                                + " condition and insert in three or four round trips on 16 connections, does 250 ± 0"
                                + " calls/s (100 callers).")
                .contains("4.00×; 3.85–4.15× at the ends of both error intervals")
                .contains(GROUP.formatted(100), LOCK.formatted(100));
    }

    @Test
    void a_ratio_within_the_error_or_the_change_between_runs_shows_no_difference() {
        RowResult subject = result(GROUP.formatted(100), 990.0, 1_010.0, 1_000.0, 1_010.0, 990.0);

        assertThat(html(new ResultFile(circumstances("abc1234"), List.of(subject, steady(LOCK.formatted(100), 980)))))
                .contains("<p class=\"ratio\">No difference shown</p>")
                .contains("1.02×; 0.981–1.06× at the ends of both error intervals.");
        assertThat(html(new ResultFile(circumstances("abc1234"), List.of(subject, steady(LOCK.formatted(100), 500)))))
                .contains("<p class=\"ratio\">No difference shown</p>");
        assertThat(html(new ResultFile(circumstances("abc1234"), List.of(subject, steady(LOCK.formatted(100), 400)))))
                .doesNotContain("No difference shown");
    }

    @Test
    void with_a_row_that_is_not_steady_fewer_callers_answer() {
        String html = html(new ResultFile(
                circumstances("abc1234"),
                List.of(
                        result(GROUP.formatted(100), 1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
                        steady(LOCK.formatted(100), 250),
                        steady(GROUP.formatted(10), 500),
                        steady(LOCK.formatted(10), 250))));

        assertThat(html).contains("2.00×", "(10 callers)").doesNotContain("100 callers");
    }

    @Test
    void rows_of_other_runs_are_no_baseline() {
        RowResult subject = steady(GROUP.formatted(1), 500);
        RowResult baseline = steady(LOCK.formatted(1), 250);
        Map<String, String> later = new LinkedHashMap<>(circumstances("abc1234"));
        later.put("at", "2026-11-22T09:00:00Z");
        later.put("attempts", "up to 3");
        Map<String, String> elsewhere = new LinkedHashMap<>(circumstances("abc1234"));
        elsewhere.put("processors", "8 of another kind");

        assertThat(html(new ResultFile(circumstances("abc1234"), List.of(subject, baseline))))
                .contains("2.00×");
        assertThat(html(runs(circumstances("abc1234"), subject, later, baseline)))
                .doesNotContain("×");
        assertThat(html(runs(circumstances("abc1234"), subject, elsewhere, baseline)))
                .doesNotContain("×");
        assertThat(html(runs(circumstances("abc1234"), subject, circumstances("def5678"), baseline)))
                .doesNotContain("×");
    }

    private static ResultFile runs(
            Map<String, String> first, RowResult ofFirst, Map<String, String> second, RowResult ofSecond) {
        return new ResultFile(List.of(new Run(first, List.of(ofFirst)), new Run(second, List.of(ofSecond))));
    }

    private static String html(ResultFile results) {
        return new Headlines(results).html();
    }
}
