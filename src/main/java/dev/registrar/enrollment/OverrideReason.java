package dev.registrar.enrollment;

import java.util.regex.Pattern;

/**
 * Why the office enrolls a student against the rules: one line of 1 to 500 characters, at least one of them visible.
 */
public final class OverrideReason extends Text {
    public static final int MAX_LENGTH = 500;
    public static final String PATTERN = LINE;

    private static final Pattern VALID = Pattern.compile(PATTERN);

    /** What stands in the place of an erased reason. */
    public static final OverrideReason ERASED = new OverrideReason("(erased)");

    /* The error does not repeat the value: it is about a person, and errors may be logged. */
    public OverrideReason(String value) {
        super(value);
        if (!isNew(value, MAX_LENGTH, VALID)) {
            throw new IllegalArgumentException(
                    "The reason for an override has 1 to %s characters, one of them visible, none a control character; this one has %s"
                            .formatted(MAX_LENGTH, description(value)));
        }
    }

    private OverrideReason(Stored stored) {
        super(stored.value());
    }

    /** A reason from an event. */
    static OverrideReason stored(String value) {
        return new OverrideReason(new Stored(value, MAX_LENGTH));
    }
}
