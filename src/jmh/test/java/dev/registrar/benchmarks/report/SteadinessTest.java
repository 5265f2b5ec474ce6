package dev.registrar.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
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
    void a_row_that_slows_down_has_a_trend() {
        Estimate falling = Estimate.of(List.of(2_000.0, 1_980.0, 1_900.0, 1_910.0, 1_800.0, 1_750.0, 1_700.0, 1_650.0));

        assertThat(Steadiness.objection(falling)).contains("falls by 0.191 of the value over its iterations");
    }

    @Test
    void a_trend_is_the_median_slope_also_if_the_ends_say_otherwise() {
        Estimate falling = Estimate.of(
                List.of(1_000.0, 1_300.0, 1_200.0, 1_150.0, 1_100.0, 1_080.0, 1_060.0, 1_050.0, 1_040.0, 1_010.0));

        assertThat(Steadiness.objection(falling)).contains("falls by 0.164 of the value over its iterations");
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
    void a_trend_of_less_than_a_tenth_does_not_count() {
        Estimate growing = Estimate.of(List.of(1_000.0, 1_010.0, 1_020.0, 1_030.0, 1_040.0, 1_050.0));

        assertThat(Steadiness.probability(6, Steadiness.pairs(growing.iterations())))
                .isLessThan(Steadiness.LEVEL);
        assertThat(Steadiness.objection(growing)).isEmpty();
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

    /** With noise and no trend, the test finds a trend as rarely as its level says. */
    @Test
    void noise_alone_is_rarely_a_trend() {
        SplittableRandom random = new SplittableRandom(781_3062);

        long found = IntStream.range(0, 10_000)
                .filter(run -> {
                    List<Double> noise = IntStream.range(0, 10)
                            .mapToObj(i -> 1_000 + random.nextDouble(400))
                            .toList();
                    return Steadiness.probability(10, Steadiness.pairs(noise)) <= Steadiness.LEVEL;
                })
                .count();

        assertThat(found).as("trends in 10,000 runs of noise").isBetween(300L, 550L);
    }

    @Test
    void equal_values_are_pairs_without_direction() {
        assertThat(Steadiness.pairs(List.of(1.0, 1.0, 2.0))).isEqualTo(2);
        assertThat(Steadiness.pairs(List.of(3.0, 2.0, 2.0, 1.0))).isEqualTo(-5);
    }
}
