package dev.registrar.enrollment;

import java.util.regex.Pattern;

/** The title of a course: one line of 1 to 200 characters (code points), at least one of them visible. */
public final class CourseTitle extends Text {
    public static final int MAX_LENGTH = 200;
    public static final String PATTERN = LINE;

    private static final Pattern VALID = Pattern.compile(PATTERN);

    public CourseTitle(String value) {
        super(value);
        if (!isNew(value, MAX_LENGTH, VALID)) {
            throw new IllegalArgumentException(
                    "The title of a course has 1 to %s characters, none of them a control character, and is not blank, but this one has %s: '%s'"
                            .formatted(MAX_LENGTH, length(value), shown(value)));
        }
    }

    private CourseTitle(Stored stored) {
        super(stored.value());
    }

    /** A title from an event, which may have been stored before the current bounds. */
    static CourseTitle stored(String value) {
        return new CourseTitle(new Stored(value, MAX_LENGTH));
    }
}
