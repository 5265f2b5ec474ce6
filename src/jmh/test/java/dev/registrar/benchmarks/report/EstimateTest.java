package dev.registrar.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class EstimateTest {
    @Test
    void the_error_is_half_of_the_interval_by_students_t() {
        Estimate estimate = Estimate.of(List.of(10.0, 12.0, 11.0, 13.0, 9.0));

        // The deviations 1, 1, 0, 2, 2 give s = sqrt(10 / 4); t is 8.610 for 0.9995 and 4 degrees of freedom.
        assertThat(estimate.value()).isEqualTo(11);
        assertThat(estimate.error()).isCloseTo(8.610 * Math.sqrt(10.0 / 4) / Math.sqrt(5), within(0.001));
        assertThat(estimate.iterations()).containsExactly(10.0, 12.0, 11.0, 13.0, 9.0);
    }

    @Test
    void two_iterations_give_no_error() {
        Estimate estimate = Estimate.of(List.of(10.0, 12.0));

        assertThat(estimate.value()).isEqualTo(11);
        assertThat(estimate.error()).isNaN();
    }
}
