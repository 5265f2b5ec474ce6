package dev.registrar.enrollment;

import dev.registrar.eventstore.Tag;

/**
 * The id of a student.
 *
 * @param value 1 to 64 ASCII letters, digits, dots, underscores, tildes and hyphens, which need no escape in a URL; the
 *     first is a letter or digit, because {@code .} and {@code ..} have a special meaning there
 */
public record StudentId(String value) {
    public static final String PATTERN = IdSyntax.PATTERN;
    /** The prefix of the tag of an id. */
    public static final String KIND = "student:";

    public StudentId {
        if (!IdSyntax.matches(value)) {
            throw new IllegalArgumentException(
                    "A student id is a letter or digit, then up to 63 of A-Z a-z 0-9 . _ ~ -, but was '%s'"
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
