package dev.registrar.enrollment;

import java.util.regex.Pattern;

/** The title of a course: a line of 1 to 200 characters (code points), one of them visible. */
public final class CourseTitle extends Text {
    public static final int LONGEST = 200;
    public static final String PATTERN = LINE;

    private static final Pattern VALID = Pattern.compile(PATTERN);

    public CourseTitle(String value) {
        super(value);
        if (!isNew(value, LONGEST, VALID)) {
            throw new IllegalArgumentException(
                    "The title of a course has 1 to %d characters, none of them a control character, and is not blank, but was '%s'"
                            .formatted(LONGEST, shown(value)));
        }
    }

    private CourseTitle(Stored stored) {
        super(stored.value());
    }

    /** The title in an event, which may be older than today's bounds. */
    static CourseTitle stored(String value) {
        return new CourseTitle(new Stored(value, LONGEST));
    }
}
