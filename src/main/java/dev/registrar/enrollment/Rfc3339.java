package dev.registrar.enrollment;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads every {@code date-time} of RFC 3339, as requests and imported files have them, and nothing else. Java's own
 * parsers refuse offsets beyond 18:00, more than nine digits of a fraction and most leap seconds, and accept years
 * beyond 9999 and the hour 24.
 */
public final class Rfc3339 {
    private static final Pattern DATE_TIME = Pattern.compile(
            "([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\\.([0-9]+))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))");

    private static final int NANO_DIGITS = 9;
    private static final int LEAP_SECOND = 60;
    private static final int MINUTES_PER_DAY = 24 * 60;

    private Rfc3339() {}

    /**
     * The instant, truncated to nanoseconds. A leap second, which Java does not have, is the second after it, as in
     * PostgreSQL.
     *
     * @throws DateTimeException if the text is not a date-time of RFC 3339
     */
    public static Instant instant(String text) {
        Matcher given = DATE_TIME.matcher(text);
        if (!given.matches()) {
            throw new DateTimeException("Not in the format of RFC 3339");
        }
        LocalDate date = LocalDate.of(number(given, 1), number(given, 2), number(given, 3));
        int second = number(given, 6);
        boolean leap = second == LEAP_SECOND;
        LocalTime time = LocalTime.of(
                number(given, 4), number(given, 5), leap ? LEAP_SECOND - 1 : second, nanos(given.group(7)));
        int offset = offset(given);
        if (leap) {
            checkLeapSecond(time, offset);
        }
        return date.atTime(time).minusMinutes(offset).plusSeconds(leap ? 1 : 0).toInstant(ZoneOffset.UTC);
    }

    private static int nanos(@Nullable String fraction) {
        if (fraction == null) {
            return 0;
        }
        String digits = fraction.length() > NANO_DIGITS ? fraction.substring(0, NANO_DIGITS) : fraction;
        return Integer.parseInt(digits + "0".repeat(NANO_DIGITS - digits.length()));
    }

    /* In minutes. Java's ZoneOffset ends at 18:00. */
    private static int offset(Matcher given) {
        if (given.group(8) == null) {
            return 0;
        }
        LocalTime offset = LocalTime.of(number(given, 9), number(given, 10));
        int minutes = offset.getHour() * 60 + offset.getMinute();
        return given.group(8).equals("-") ? -minutes : minutes;
    }

    /* Leap seconds end a day in UTC. */
    private static void checkLeapSecond(LocalTime time, int offset) {
        int minuteInUtc = Math.floorMod(time.getHour() * 60 + time.getMinute() - offset, MINUTES_PER_DAY);
        if (minuteInUtc != MINUTES_PER_DAY - 1) {
            throw new DateTimeException("A leap second is the last of a day in UTC");
        }
    }

    private static int number(Matcher given, int group) {
        return Integer.parseInt(given.group(group));
    }
}
