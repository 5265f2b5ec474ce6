package dev.registrar.enrollment;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One line of text that a person has typed; equal to another of the same class and the same characters.
 *
 * <p>New text has no control character, no line or paragraph separator and no half of a surrogate pair, and something
 * in it is visible. That is what RFC 8264 (PRECIS) refuses in free text, except for format characters between visible
 * ones: names need joiners, variation selectors and marks of direction. The one who shows a text isolates its
 * direction.
 *
 * <p>Earlier versions stored text outside these bounds. It is read as it is stored.
 */
abstract sealed class Text permits CourseTitle, EmailAddress, StudentName {
    /** The inside of a character class: control characters, line and paragraph separators. */
    static final String CONTROLS = "\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029";

    /** The inside of a character class: spaces (Zs). */
    static final String SPACES = "\\u0020\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000";

    /**
     * The inside of a character class: format characters (Cf) and what is not displayed by default
     * (Default_Ignorable_Code_Point, Unicode 16), and the blank of Braille. Characters beyond U+FFFF stand for
     * themselves, since each dialect of regular expressions escapes them in another way.
     */
    static final String INVISIBLES = "\\u00AD\\u034F\\u0600-\\u0605\\u061C\\u06DD\\u070F\\u0890\\u0891\\u08E2"
            + "\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800"
            + "\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB"
            + "\uD804\uDCBD\uD804\uDCCD\uD80D\uDC30-\uD80D\uDC3F\uD82F\uDCA0-\uD82F\uDCA3\uD834\uDD73-\uD834\uDD7A"
            + "\uDB40\uDC00-\uDB43\uDFFF";

    /** Something visible, and no control character. It matches in one way only, so a mismatch costs one look. */
    static final String LINE =
            "[" + SPACES + INVISIBLES + "]*" + "[^" + CONTROLS + SPACES + INVISIBLES + "]" + "[^" + CONTROLS + "]*";

    private final String value;

    Text(String value) {
        this.value = value;
    }

    /**
     * Text from an event, which may be older than today's bounds: not longer than any text ever was, and without half
     * of a character. The error does not repeat it, since it may name a person.
     */
    record Stored(String value, int longest) {
        Stored {
            if (length(value) > longest || halfAt(value) >= 0) {
                throw new IllegalArgumentException(
                        "A stored text has at most %d characters and no half of one, but this one has %s"
                                .formatted(longest, told(value)));
            }
        }
    }

    public final String value() {
        return value;
    }

    static int length(String value) {
        return value.codePointCount(0, value.length());
    }

    /** Whether a new text has 1 to so many characters, which match the pattern. */
    static boolean isNew(String value, int longest, Pattern pattern) {
        return length(value) <= longest
                && halfAt(value) < 0
                && pattern.matcher(value).matches();
    }

    /** What may be told of a value that must not end in a log: its length, and the first character that may not be. */
    static String told(String value) {
        return value.codePoints()
                .filter(Text::isControl)
                .mapToObj("%d, and U+%%04X among them".formatted(length(value))::formatted)
                .findFirst()
                .orElse(Integer.toString(length(value)));
    }

    /** A value whose control characters are written as escapes, so that it fits one line and any encoding. */
    static String shown(String value) {
        StringBuilder shown = new StringBuilder();
        value.codePoints()
                .forEach(character -> shown.append(
                        isControl(character) ? "\\u%04X".formatted(character) : Character.toString(character)));
        return shown.toString();
    }

    private static boolean isControl(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                true;
            default -> false;
        };
    }

    /* No encoding can write it. Less than 0 if there is none. */
    private static int halfAt(String value) {
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
