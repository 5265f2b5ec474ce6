package dev.registrar.console.explorer;

/**
 * The form in which a type or a tag is written in an input field and in an address. A field has one line and loses some
 * characters, so those that it could lose are escapes: {@code \n}, {@code \r}, {@code \t}, {@code \}{@code u0041}, and
 * two backslashes for one.
 */
final class FieldText {
    private static final int HEX_DIGITS = 4;

    private FieldText() {}

    /** The text of a field that means a value. */
    static String of(String value) {
        StringBuilder field = new StringBuilder();
        int[] points = value.codePoints().toArray();
        for (int i = 0; i < points.length; i++) {
            boolean isOuterSpace = points[i] == ' ' && (i == 0 || i == points.length - 1);
            if (points[i] == '\\') {
                field.append("\\\\");
            } else if (isOuterSpace || Visible.isHidden(points[i])) {
                Visible.appendEscape(field, points[i]);
            } else {
                field.appendCodePoint(points[i]);
            }
        }
        return field.toString();
    }

    /** The value that a field means; spaces around it do not belong to it. A backslash before any other text stays. */
    static String value(String field) {
        String text = field.strip();
        StringBuilder value = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            char character = text.charAt(at);
            char escape = character == '\\' && at + 1 < text.length() ? text.charAt(at + 1) : 0;
            int length = 2;
            switch (escape) {
                case '\\' -> value.append('\\');
                case 'n' -> value.append('\n');
                case 'r' -> value.append('\r');
                case 't' -> value.append('\t');
                case 'u' -> {
                    int unit = hex(text, at + 2);
                    if (unit < 0) {
                        value.append(character);
                        length = 1;
                    } else {
                        value.append((char) unit);
                        length = 2 + HEX_DIGITS;
                    }
                }
                default -> {
                    value.append(character);
                    length = 1;
                }
            }
            at += length;
        }
        return value.toString();
    }

    /* The number of four hexadecimal digits; -1 if there are none. */
    private static int hex(String text, int at) {
        if (at + HEX_DIGITS > text.length()) {
            return -1;
        }
        int number = 0;
        for (int i = at; i < at + HEX_DIGITS; i++) {
            int digit = text.charAt(i) < 0x80 ? Character.digit(text.charAt(i), 16) : -1;
            if (digit < 0) {
                return -1;
            }
            number = number * 16 + digit;
        }
        return number;
    }
}
