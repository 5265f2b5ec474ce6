package dev.registrar.console.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The texts of numbers, and the points of charts. */
class NumbersTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 s",
        "PT0.0004S, 0.40 ms",
        "PT0.85S, 850 ms",
        "PT12.9S, 12 s",
        "PT1M, 1 min",
        "PT3M5S, 3 min 5 s",
        "PT2H4M9S, 2 h 4 min",
        "PT24H, 24 h",
        "PT168H, 7 d"
    })
    void a_duration_is_shown_with_its_largest_units(Duration duration, String text) {
        assertThat(Numbers.duration(duration)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0, 0 bytes", "1023, '1,023 bytes'", "1536, 1.5 KB", "33554432, 32 MB", "1099511627776000, '1,000 TB'"})
    void a_size_is_shown_in_the_largest_unit(long bytes, String text) {
        assertThat(Numbers.bytes(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0.25, 0.3", "9.94, 9.9", "1234.4, '1,234'"})
    void a_rate_has_a_decimal_only_while_it_is_small(double perSecond, String text) {
        assertThat(Numbers.rate(perSecond)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"1234, '1,200'", "95500, '96,000'", "123456, '120,000'"})
    void an_estimated_number_has_two_digits_that_count(long number, String text) {
        assertThat(Numbers.about(number)).isEqualTo(text);
    }

    @Test
    void one_of_something_is_singular() {
        assertThat(Numbers.count(1, "event")).isEqualTo("1 event");
        assertThat(Numbers.count(12_345, "event")).isEqualTo("12,345 events");
    }

    @Test
    void a_chart_ends_at_the_right_and_reaches_the_top_at_its_greatest_value() {
        Chart chart = Chart.of(List.of(0.0, 10.0, 5.0), 161, "label");

        assertThat(chart.most()).isEqualTo("10");
        assertThat(chart.line()).isEqualTo("158.0,30.0 159.0,2.0 160.0,16.0");
        assertThat(chart.area()).isEqualTo("158.0,30.0 158.0,30.0 159.0,2.0 160.0,16.0 160.0,30.0");
    }

    @Test
    void a_chart_without_values_has_no_points() {
        assertThat(Chart.of(List.of(), 30, "label").line()).isEmpty();
        assertThat(Chart.of(List.of(), 30, "label").area()).isEmpty();
    }
}
