package dev.registrar.catalog;

import dev.registrar.enrollment.EnrollmentWindow;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Stored values as look-ups show them. Earlier versions accepted values that a table cannot hold. */
final class Shown {
    private Shown() {}

    /** The text with U+FFFD for U+0000, which PostgreSQL's text cannot hold. */
    static String text(String stored) {
        return stored.replace('\0', '\uFFFD');
    }

    /** The instant in microseconds, moved into the years 1 to 9999. */
    static @Nullable Instant instant(@Nullable Instant stored) {
        if (stored == null || stored.isAfter(EnrollmentWindow.LATEST)) {
            return stored == null ? null : EnrollmentWindow.LATEST;
        }
        return stored.isBefore(EnrollmentWindow.EARLIEST)
                ? EnrollmentWindow.EARLIEST
                : stored.truncatedTo(ChronoUnit.MICROS);
    }
}
