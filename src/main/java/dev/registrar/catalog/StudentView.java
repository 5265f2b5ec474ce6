package dev.registrar.catalog;

import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import org.jspecify.annotations.Nullable;

/**
 * A student.
 *
 * @param tier the code of the student's tier; null if none was ever set
 */
public record StudentView(
        String id, String name, String email, @Nullable String tier) {

    /** A student who has just been registered. */
    public static StudentView of(StudentRegistered registered) {
        return new StudentView(
                registered.student().value(),
                Shown.text(registered.name().value()),
                Shown.text(registered.email().value()),
                null);
    }
}
