package dev.registrar.enrollment;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a course takes enrollments.
 *
 * @param opensAt the first instant; null if it always did
 * @param closesAt the first instant that is too late; null if none is
 */
public record EnrollmentWindow(
        @Nullable Instant opensAt, @Nullable Instant closesAt) {
    public static final EnrollmentWindow ALWAYS = new EnrollmentWindow(null, null);

    public EnrollmentWindow {
        if (opensAt != null && closesAt != null && !opensAt.isBefore(closesAt)) {
            throw new IllegalArgumentException("Enrollment closes after it opens, but was to open at %s and close at %s"
                    .formatted(opensAt, closesAt));
        }
    }

    public boolean isOpenAt(Instant now) {
        return (opensAt == null || !now.isBefore(opensAt)) && (closesAt == null || now.isBefore(closesAt));
    }
}
