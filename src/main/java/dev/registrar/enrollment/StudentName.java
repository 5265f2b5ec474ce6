package dev.registrar.enrollment;

/**
 * The name of a student.
 *
 * @param value 1 to 200 characters, not blank and without U+0000, which no table of a view could hold
 */
public record StudentName(String value) {
    public static final int LONGEST = 200;
    /** Without the one character that PostgreSQL's text cannot hold. */
    public static final String PATTERN = "[^\\x00]*";

    public StudentName {
        if (value.isBlank() || value.length() > LONGEST || value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "The name of a student has 1 to %d characters, none of them U+0000, and is not blank; this one has %d"
                            .formatted(LONGEST, value.length()));
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
