package dev.registrar.enrollment;

import dev.registrar.eventstore.Tag;
import java.util.regex.Pattern;

/**
 * The id of a student.
 *
 * @param value 1 to 64 letters, digits, dots, underscores, tildes and hyphens of ASCII, as they stand in a URL; a
 *     letter or digit first, because {@code .} and {@code ..} mean something else there
 */
public record StudentId(String value) {
    public static final String PATTERN = "[A-Za-z0-9][A-Za-z0-9._~-]{0,63}";
    /** What the tag of an id begins with. */
    static final String KIND = "student:";

    private static final Pattern VALID = Pattern.compile(PATTERN);

    public StudentId {
        if (!VALID.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "A student id is a letter or digit and up to 63 of A-Z a-z 0-9 . _ ~ - but was '%s'"
                            .formatted(value));
        }
    }

    /** The tag of every event about this student. */
    public Tag tag() {
        return new Tag(KIND + value);
    }

    @Override
    public String toString() {
        return value;
    }
}
