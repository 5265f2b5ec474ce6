package dev.registrar.enrollment;

/**
 * The title of a course.
 *
 * @param value 1 to 200 characters, not blank and without U+0000, which no table of a view could hold
 */
public record CourseTitle(String value) {
    public static final int LONGEST = 200;
    /** Without the one character that PostgreSQL's text cannot hold. */
    public static final String PATTERN = "[^\\x00]*";

    public CourseTitle {
        if (value.isBlank() || value.length() > LONGEST || value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "The title of a course has 1 to %d characters, none of them U+0000, and is not blank, but was '%s'"
                            .formatted(LONGEST, value));
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
