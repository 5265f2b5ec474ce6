package dev.registrar.enrollment;

/**
 * The name of a student.
 *
 * @param value 1 to 200 characters, not blank
 */
public record StudentName(String value) {
    public static final int LONGEST = 200;

    public StudentName {
        if (value.isBlank() || value.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "The name of a student has 1 to %d characters and is not blank, but this one has %d"
                            .formatted(LONGEST, value.length()));
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
