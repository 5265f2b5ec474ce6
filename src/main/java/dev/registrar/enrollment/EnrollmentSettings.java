package dev.registrar.enrollment;

/**
 * The settings of the rules of enrollment.
 *
 * @param coursesPerStudent the most courses that a student without a tier may be enrolled in at a time; 1 or more
 */
public record EnrollmentSettings(int coursesPerStudent) {
    public EnrollmentSettings {
        if (coursesPerStudent < 1) {
            throw new IllegalArgumentException(
                    "A student may be enrolled in 1 course or more but the limit was " + coursesPerStudent);
        }
    }
}
