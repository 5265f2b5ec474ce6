package dev.registrar.options;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Checks that options are within their bounds. */
public final class Bounds {
    private static final List<Map.Entry<String, Duration>> UNITS = List.of(
            Map.entry("d", Duration.ofDays(1)),
            Map.entry("h", Duration.ofHours(1)),
            Map.entry("m", Duration.ofMinutes(1)),
            Map.entry("s", Duration.ofSeconds(1)),
            Map.entry("ms", Duration.ofMillis(1)));

    private Bounds() {}

    /**
     * Checks a number.
     *
     * @param option the path of the option, such as {@code group.maxRequests}
     * @throws InvalidOptionException if the value is out of range
     */
    public static void check(String option, long value, long least, long most) {
        if (value < least || value > most) {
            throw new InvalidOptionException(option, "%s to %s".formatted(least, most), value);
        }
    }

    /**
     * Checks a number that may have a fraction.
     *
     * @throws InvalidOptionException if the value is out of range or not a number
     */
    public static void check(String option, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new InvalidOptionException(option, "%s to %s".formatted(least, most), value);
        }
    }

    /**
     * Checks a duration.
     *
     * @throws InvalidOptionException if the value is out of range
     */
    public static void check(String option, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new InvalidOptionException(option, "%s to %s".formatted(text(least), text(most)), text(value));
        }
    }

    /* In the notation of configuration files, in the largest unit that divides the duration. */
    private static String text(Duration time) {
        for (Map.Entry<String, Duration> unit : UNITS) {
            Duration one = unit.getValue();
            if (time.equals(one.multipliedBy(time.dividedBy(one))) && !time.isZero()) {
                return time.dividedBy(one) + unit.getKey();
            }
        }
        return time.toNanos() + "ns";
    }
}
