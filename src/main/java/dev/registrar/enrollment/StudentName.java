package dev.registrar.enrollment;

import java.util.regex.Pattern;

/** The name of a student: a line of 1 to 200 characters (code points), one of them visible. */
public final class StudentName extends Text {
    public static final int LONGEST = 200;
    public static final String PATTERN = LINE;

    private static final Pattern VALID = Pattern.compile(PATTERN);

    /* The messages of personal values do not repeat them: they may end in a log. */
    public StudentName(String value) {
        super(value);
        if (!isNew(value, LONGEST, VALID)) {
            throw new IllegalArgumentException(
                    "The name of a student has 1 to %d characters, one of them visible, none a control character; this one has %s"
                            .formatted(LONGEST, told(value)));
        }
    }

    private StudentName(Stored stored) {
        super(stored.value());
    }

    /** The name in an event, which may be older than today's bounds. */
    static StudentName stored(String value) {
        return new StudentName(new Stored(value, LONGEST));
    }
}
