package dev.registrar.enrollment;

import dev.registrar.eventstore.Tag;
import java.util.regex.Pattern;

/**
 * The id of a student.
 *
 * @param value 1 to 64 letters, digits, dots, underscores, tildes and hyphens of ASCII, as they stand in a URL
 */
public record StudentId(String value) {
    public static final String PATTERN = "[A-Za-z0-9._~-]{1,64}";

    private static final Pattern VALID = Pattern.compile(PATTERN);

    public StudentId {
        if (!VALID.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "A student id is 1 to 64 of the characters A-Z a-z 0-9 . _ ~ - but was '%s'".formatted(value));
        }
    }

    /** The tag of every event about this student. */
    public Tag tag() {
        return new Tag("student:" + value);
    }

    @Override
    public String toString() {
        return value;
    }
}
