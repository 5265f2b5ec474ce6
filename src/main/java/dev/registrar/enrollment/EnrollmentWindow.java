package dev.registrar.enrollment;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The time in which a course takes enrollments. Either end may be open. */
public final class EnrollmentWindow {
    public static final EnrollmentWindow ALWAYS = new EnrollmentWindow(null, null);

    /** The first instant of year 1 in UTC (proleptic Gregorian calendar). */
    public static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

    /** The last microsecond of year 9999 in UTC, the last year that RFC 3339 can write. */
    public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

    private final @Nullable Instant opensAt;
    private final @Nullable Instant closesAt;

    /**
     * A new window; both ends are truncated to microseconds.
     *
     * @param opensAt the first instant of the window; null if it has no start
     * @param closesAt the first instant after the window; null if it has no end
     * @throws IllegalArgumentException if an instant lies outside the years 1 to 9999 (UTC), or the window is empty
     */
    public EnrollmentWindow(@Nullable Instant opensAt, @Nullable Instant closesAt) {
        this(opensAt == null ? null : end(opensAt), closesAt == null ? null : end(closesAt), true);
    }

    private EnrollmentWindow(@Nullable Instant opensAt, @Nullable Instant closesAt, boolean isNew) {
        if (isNew && opensAt != null && closesAt != null && !opensAt.isBefore(closesAt)) {
            throw new IllegalArgumentException("Enrollment must close after it opens, but opens at %s and closes at %s"
                    .formatted(opensAt, closesAt));
        }
        this.opensAt = opensAt;
        this.closesAt = closesAt;
    }

    /** A window from an event, which may have been stored before the current bounds. */
    static EnrollmentWindow stored(@Nullable Instant opensAt, @Nullable Instant closesAt) {
        return new EnrollmentWindow(opensAt, closesAt, false);
    }

    /**
     * Either end of a new window, truncated to microseconds.
     *
     * @throws IllegalArgumentException if it lies outside the years 1 to 9999 (UTC)
     */
    public static Instant end(Instant given) {
        Instant end = given.truncatedTo(ChronoUnit.MICROS);
        if (end.isBefore(EARLIEST) || end.isAfter(LATEST)) {
            throw new IllegalArgumentException(
                    "Enrollment must open and close in the years 1 to 9999 (UTC), but the instant is %s"
                            .formatted(given));
        }
        return end;
    }

    public @Nullable Instant opensAt() {
        return opensAt;
    }

    public @Nullable Instant closesAt() {
        return closesAt;
    }

    /** A phrase that follows "takes enrollments". */
    @Override
    public String toString() {
        if (opensAt == null) {
            return closesAt == null ? "always" : "before " + closesAt;
        }
        return closesAt == null
                ? "from %s on".formatted(opensAt)
                : "from %s and before %s".formatted(opensAt, closesAt);
    }

    public boolean isOpenAt(Instant now) {
        return (opensAt == null || !now.isBefore(opensAt)) && (closesAt == null || now.isBefore(closesAt));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EnrollmentWindow that
                && Objects.equals(opensAt, that.opensAt)
                && Objects.equals(closesAt, that.closesAt);
    }

    @Override
    public int hashCode() {
        return Objects.hash(opensAt, closesAt);
    }
}
