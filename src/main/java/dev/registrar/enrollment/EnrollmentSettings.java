package dev.registrar.enrollment;

/**
 * The settings of the rules of enrollment.
 *
 * @param coursesPerStudent maximum number of courses of a student without a tier; 1 or more
 */
public record EnrollmentSettings(int coursesPerStudent) {
    public EnrollmentSettings {
        if (coursesPerStudent < 1) {
            throw new IllegalArgumentException(
                    "The number of courses per student must be 1 or more but is " + coursesPerStudent);
        }
    }
}
