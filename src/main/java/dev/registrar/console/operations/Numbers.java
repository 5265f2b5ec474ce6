package dev.registrar.console.operations;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.Locale;
import org.springframework.stereotype.Component;

/** The texts of numbers in pages; templates call it by its bean's name. */
@Component("numbers")
final class Numbers {
    private static final String[] UNITS = {"bytes", "KB", "MB", "GB", "TB"};
    private static final int STEP = 1_024;

    /** A whole number with separators: {@code 12,345}. */
    public static String count(long number) {
        return String.format(Locale.ENGLISH, "%,d", number);
    }

    /** An estimated number with two digits that count: {@code 120,000}. */
    public static String about(long number) {
        return count(new BigDecimal(number).round(new MathContext(2)).longValue());
    }

    /** A number of something: {@code 1 event}, {@code 2 events}. */
    public static String count(long number, String singular) {
        return count(number) + " " + singular + (number == 1 ? "" : "s");
    }

    /** A number per second: whole from 10 on, otherwise with one decimal. */
    public static String rate(double perSecond) {
        return perSecond >= 10 || perSecond == 0
                ? count(Math.round(perSecond))
                : String.format(Locale.ENGLISH, "%.1f", perSecond);
    }

    public static String bytes(long bytes) {
        double size = bytes;
        int unit = 0;
        while (size >= STEP && unit < UNITS.length - 1) {
            size /= STEP;
            unit++;
        }
        return (unit == 0 || size >= 100 || size == Math.rint(size)
                        ? count(Math.round(size))
                        : String.format(Locale.ENGLISH, "%.1f", size))
                + " "
                + UNITS[unit];
    }

    /**
     * A duration with its largest units: {@code 0 s}, {@code 850 ms}, {@code 12 s}, {@code 3 min 5 s}, {@code 2 h 4
     * min}.
     */
    public static String duration(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds >= 2 * 86_400) {
            return "%s d".formatted(seconds / 86_400);
        }
        if (seconds >= 3_600) {
            return "%s h".formatted(seconds / 3_600) + rest(seconds % 3_600 / 60, "min");
        }
        if (seconds >= 60) {
            return "%s min".formatted(seconds / 60) + rest(seconds % 60, "s");
        }
        if (seconds > 0 || duration.isZero()) {
            return seconds + " s";
        }
        return duration.toMillis() > 0
                ? duration.toMillis() + " ms"
                : String.format(Locale.ENGLISH, "%.2f ms", duration.toNanos() / 1e6);
    }

    private static String rest(long number, String unit) {
        return number == 0 ? "" : " %s %s".formatted(number, unit);
    }
}
