package dev.registrar.enrollment;

import java.util.regex.Pattern;

/** The name of a student: one line of 1 to 200 characters (code points), at least one of them visible. */
public final class StudentName extends Text {
    public static final int MAX_LENGTH = 200;
    public static final String PATTERN = LINE;

    private static final Pattern VALID = Pattern.compile(PATTERN);

    /** What stands in the place of an erased name. */
    public static final StudentName ERASED = new StudentName("(erased)");

    /* The error does not repeat the value: it is personal data, and errors may be logged. */
    public StudentName(String value) {
        super(value);
        if (!isNew(value, MAX_LENGTH, VALID)) {
            throw new IllegalArgumentException(
                    "The name of a student has 1 to %s characters, one of them visible, none a control character; this one has %s"
                            .formatted(MAX_LENGTH, description(value)));
        }
    }

    private StudentName(Stored stored) {
        super(stored.value());
    }

    /** A name from an event, which may have been stored before the current bounds. */
    static StudentName stored(String value) {
        return new StudentName(new Stored(value, MAX_LENGTH));
    }
}
