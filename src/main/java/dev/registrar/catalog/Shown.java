package dev.registrar.catalog;

import dev.registrar.enrollment.EnrollmentWindow;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Stored values as they are shown, from the tables and from the store alike: earlier versions took what no table holds.
 */
final class Shown {
    private Shown() {}

    /** Without U+0000, which PostgreSQL's text cannot hold: U+FFFD stands in its place. */
    static String text(String stored) {
        return stored.replace('\0', '\uFFFD');
    }

    /** In microseconds, and at the nearest end of the years 1 to 9999. */
    static @Nullable Instant instant(@Nullable Instant stored) {
        if (stored == null || stored.isAfter(EnrollmentWindow.LATEST)) {
            return stored == null ? null : EnrollmentWindow.LATEST;
        }
        return stored.isBefore(EnrollmentWindow.EARLIEST)
                ? EnrollmentWindow.EARLIEST
                : stored.truncatedTo(ChronoUnit.MICROS);
    }
}
