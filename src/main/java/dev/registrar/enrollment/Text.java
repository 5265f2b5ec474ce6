package dev.registrar.enrollment;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One line of text that a person has typed. Two texts are equal if they have the same class and the same characters.
 *
 * <p>New text has no control character, no line or paragraph separator, no unpaired surrogate, and at least one visible
 * character. RFC 8264 (PRECIS) refuses the same in free text; it also refuses format characters between visible ones,
 * which are allowed here because names need joiners, variation selectors and direction marks. A program that displays a
 * text must isolate its direction.
 *
 * <p>Earlier versions stored text outside these bounds. Such text is read as it is stored.
 */
abstract sealed class Text permits CourseTitle, EmailAddress, OverrideReason, StudentName {
    /** The inside of a character class: control characters, line and paragraph separators. */
    static final String CONTROLS = "\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029";

    /** The inside of a character class: spaces (Zs). */
    static final String SPACES = "\\u0020\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000";

    /**
     * The inside of a character class: format characters (Cf), default-ignorable code points (Unicode 16) and the
     * Braille blank. Characters beyond U+FFFF are written literally, because dialects of regular expressions differ in
     * how they escape them.
     */
    static final String INVISIBLES = "\\u00AD\\u034F\\u0600-\\u0605\\u061C\\u06DD\\u070F\\u0890\\u0891\\u08E2"
            + "\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800"
            + "\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB"
            + "\uD804\uDCBD\uD804\uDCCD\uD80D\uDC30-\uD80D\uDC3F\uD82F\uDCA0-\uD82F\uDCA3\uD834\uDD73-\uD834\uDD7A"
            + "\uDB40\uDC00-\uDB43\uDFFF";

    /** At least one visible character and no control character. It matches in one way only, so in linear time. */
    static final String LINE =
            "[" + SPACES + INVISIBLES + "]*" + "[^" + CONTROLS + SPACES + INVISIBLES + "]" + "[^" + CONTROLS + "]*";

    private static final int MAX_SHOWN = 40;

    private final String value;

    Text(String value) {
        this.value = value;
    }

    /**
     * Text from an event, which may have been stored before the current bounds. Only its length and its surrogates are
     * checked. The error does not repeat the text, which may be personal data.
     */
    record Stored(String value, int maxLength) {
        Stored {
            if (length(value) > maxLength || unpairedSurrogateAt(value) >= 0) {
                throw new IllegalArgumentException(
                        "A stored text has at most %s characters and no unpaired surrogate, but this one has %s"
                                .formatted(maxLength, description(value)));
            }
        }
    }

    public final String value() {
        return value;
    }

    static int length(String value) {
        return value.codePointCount(0, value.length());
    }

    /** Whether a value is allowed as new text: not too long, valid Unicode, and matched by the pattern. */
    static boolean isNew(String value, int maxLength, Pattern pattern) {
        return length(value) <= maxLength
                && unpairedSurrogateAt(value) < 0
                && pattern.matcher(value).matches();
    }

    /** A description that does not repeat the value: its length, and the first forbidden character if there is one. */
    static String description(String value) {
        return value.codePoints()
                .filter(Text::isControl)
                .mapToObj(control -> String.format(Locale.ROOT, "%d, and U+%04X among them", length(value), control))
                .findFirst()
                .orElse(Integer.toString(length(value)));
    }

    /**
     * The beginning of the value, up to {@value #MAX_SHOWN} characters, with its control characters escaped, so that it
     * fits on one line and into any encoding.
     */
    static String shown(String value) {
        StringBuilder shown = new StringBuilder();
        value.codePoints()
                .limit(MAX_SHOWN)
                .forEach(character -> shown.append(
                        isControl(character)
                                ? String.format(Locale.ROOT, "\\u%04X", character)
                                : Character.toString(character)));
        return length(value) > MAX_SHOWN ? shown + "…" : shown.toString();
    }

    private static boolean isControl(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                true;
            default -> false;
        };
    }

    /* The index of the first unpaired surrogate, which no encoding can write; -1 if there is none. */
    private static int unpairedSurrogateAt(String value) {
        for (int at = 0; at < value.length(); at++) {
            if (Character.isSurrogate(value.charAt(at))) {
                if (!Character.isSupplementaryCodePoint(value.codePointAt(at))) {
                    return at;
                }
                at++;
            }
        }
        return -1;
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof Text that && getClass() == that.getClass() && value.equals(that.value);
    }

    @Override
    public final int hashCode() {
        return value.hashCode();
    }

    @Override
    public final String toString() {
        return value;
    }
}
