package dev.registrar.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Trends and errors, most of them of rows that were published as if they were steady. */
class SteadinessTest {

    @Test
    void a_row_that_warms_up_while_it_is_measured_has_a_trend() {
        Estimate enrollments =
                Estimate.of(List.of(780.797, 1_036.74, 1_071.47, 1_433.83, 1_778.28, 2_605.96, 3_103.86, 3_061.88));

        assertThat(Steadiness.objection(enrollments)).contains("rises by 1.37 of the value over its iterations");
    }

    @Test
    void a_row_that_scatters_has_a_large_error() {
        Estimate selects =
                Estimate.of(List.of(15_231.2, 30_539.7, 44_818.7, 52_312.5, 19_382.8, 19_453.4, 64_411.8, 28_915.0));

        assertThat(Steadiness.objection(selects)).contains("the error is 0.984 of the value, not below 0.250");
    }

    @Test
    void a_row_without_trend_and_with_a_small_error_is_steady() {
        Estimate selects =
                Estimate.of(List.of(30_513.5, 31_098.4, 32_893.1, 37_111.9, 33_584.8, 31_852.9, 28_284.3, 33_247.9));

        assertThat(Steadiness.objection(selects)).isEmpty();
        assertThat(Steadiness.objection(Estimate.of(List.of(5.0, 5.0, 5.0, 5.0, 5.0))))
                .isEmpty();
    }

    @Test
    void too_few_iterations_are_never_steady() {
        assertThat(Steadiness.objection(Estimate.of(List.of(7.0, 7.0, 7.0, 7.0))))
                .contains("4 iterations, fewer than 5");
        assertThat(Steadiness.objection(Estimate.of(List.of(7.0)))).isPresent();
    }

    /** The values are those of Kendall's table. */
    @Test
    void the_probability_of_a_trend_is_exact() {
        assertThat(Steadiness.probability(4, 6)).isCloseTo(2.0 / 24, within(1e-12));
        assertThat(Steadiness.probability(5, 10)).isCloseTo(2.0 / 120, within(1e-12));
        assertThat(Steadiness.probability(5, -8)).isCloseTo(2 * 5.0 / 120, within(1e-12));
        assertThat(Steadiness.probability(10, 21)).isCloseTo(2 * 0.036, within(1e-3));
        assertThat(Steadiness.probability(10, 23)).isCloseTo(2 * 0.023, within(1e-3));
        assertThat(Steadiness.probability(10, 0)).isCloseTo(1, within(1e-12));
    }
}
