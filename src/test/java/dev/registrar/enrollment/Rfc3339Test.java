package dev.registrar.enrollment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The grammar of RFC 3339, 5.6, with its cases in which Java's parsers differ. */
class Rfc3339Test {

    @ParameterizedTest
    @CsvSource({
        "2026-09-01T08:00:00Z,                          2026-09-01T08:00:00Z",
        "2026-09-01t08:00:00z,                          2026-09-01T08:00:00Z",
        "2026-09-01T08:00:00.5+02:00,                   2026-09-01T06:00:00.5Z",
        "2026-09-01T08:00:00-00:00,                     2026-09-01T08:00:00Z",
        "2026-09-01T08:00:00.12345678998765432100Z,     2026-09-01T08:00:00.123456789Z",
        "2026-09-01T00:00:00+18:01,                     2026-08-31T05:59:00Z",
        "2026-09-01T23:59:00+23:59,                     2026-09-01T00:00:00Z",
        "2026-09-01T00:01:00-23:59,                     2026-09-02T00:00:00Z",
        "2024-02-29T00:00:00Z,                          2024-02-29T00:00:00Z",
        "0000-01-01T00:00:00Z,                          0000-01-01T00:00:00Z",
        "0001-01-01T02:00:00+15:31,                     0000-12-31T10:29:00Z",
        "0000-01-01T00:00:00+23:59,                     -0001-12-31T00:01:00Z",
        "9999-12-31T23:59:59.999999999-23:59,           +10000-01-01T23:58:59.999999999Z"
    })
    void every_date_time_is_read(String text, Instant instant) {
        assertThat(Rfc3339.instant(text)).isEqualTo(instant);
    }

    @ParameterizedTest
    @CsvSource({
        "2016-12-31T23:59:60Z,              2017-01-01T00:00:00Z",
        "2016-12-31T23:59:60.25Z,           2017-01-01T00:00:00.25Z",
        "1990-12-31T15:59:60-08:00,         1991-01-01T00:00:00Z",
        "2017-01-01T23:58:60+23:59,         2017-01-01T00:00:00Z",
        "9999-12-31T23:59:60Z,              +10000-01-01T00:00:00Z"
    })
    void a_leap_second_is_the_second_after_it(String text, Instant instant) {
        assertThat(Rfc3339.instant(text)).isEqualTo(instant);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026-09-01",
                "08:00:00Z",
                "2026-09-01T08:00:00",
                "2026-09-01T08:00Z",
                "2026-09-01 08:00:00Z",
                "2026-09-01T08:00:00.Z",
                "2026-09-01T08:00:00,5Z",
                "2026-09-01T08:00:00+02",
                "2026-09-01T08:00:00+0200",
                "2026-09-01T08:00:00+02:00:30",
                "2026-09-01T08:00:00+24:00",
                "2026-09-01T08:00:00+02:60",
                "2026-09-01T08:00:00Z ",
                "2026-09-01T08:00:00Z\n",
                "2026-09-01T24:00:00Z",
                "2026-09-01T08:60:00Z",
                "2026-09-01T08:00:60Z",
                "2016-12-31T23:59:60+01:00",
                "2016-12-31T23:59:61Z",
                "2026-13-01T08:00:00Z",
                "2026-02-29T08:00:00Z",
                "2026-09-31T08:00:00Z",
                "+10000-01-01T00:00:00Z",
                "-0001-01-01T00:00:00Z",
                "12026-09-01T08:00:00Z",
                "२०२६-09-01T08:00:00Z",
                "1756713600"
            })
    void anything_else_is_refused(String text) {
        assertThatThrownBy(() -> Rfc3339.instant(text)).isInstanceOf(DateTimeException.class);
    }

    @Test
    void a_million_digits_of_a_fraction_are_read() {
        assertThat(Rfc3339.instant("2026-09-01T08:00:00." + "1".repeat(1_000_000) + "Z"))
                .isEqualTo(Instant.parse("2026-09-01T08:00:00.111111111Z"));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void random_date_times_with_any_offset_are_read(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        LocalDateTime first = LocalDateTime.of(0, 1, 1, 0, 0);
        long seconds = LocalDateTime.of(9999, 12, 31, 23, 59, 59).toEpochSecond(ZoneOffset.UTC)
                - first.toEpochSecond(ZoneOffset.UTC);
        for (int i = 0; i < 10_000; i++) {
            LocalDateTime local = first.plusSeconds(random.nextLong(seconds + 1));
            int minutes = random.nextInt(-(24 * 60 - 1), 24 * 60);
            String text = String.format(
                    Locale.ROOT,
                    "%04d-%02d-%02dT%02d:%02d:%02d%s%02d:%02d",
                    local.getYear(),
                    local.getMonthValue(),
                    local.getDayOfMonth(),
                    local.getHour(),
                    local.getMinute(),
                    local.getSecond(),
                    minutes < 0 ? "-" : "+",
                    Math.abs(minutes) / 60,
                    Math.abs(minutes) % 60);

            assertThat(Rfc3339.instant(text))
                    .as(text)
                    .isEqualTo(local.minusMinutes(minutes).toInstant(ZoneOffset.UTC));
        }
    }
}
