package dev.registrar.enrollment;

/**
 * The title of a course.
 *
 * @param value 1 to 200 characters, not blank
 */
public record CourseTitle(String value) {
    public static final int LONGEST = 200;

    public CourseTitle {
        if (value.isBlank() || value.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "The title of a course has 1 to %d characters and is not blank, but was '%s'"
                            .formatted(LONGEST, value));
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
