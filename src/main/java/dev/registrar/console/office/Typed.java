package dev.registrar.console.office;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a person typed into the fields of a form. */
final class Typed {
    static final String ID_HINT =
            "A letter or a digit, then up to 63 letters, digits, dots, underscores, tildes or hyphens.";
    static final String LINE_HINT = "1 to 200 characters on one line.";

    private static final int LONGEST_ID = 64;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    private Typed() {}

    /** The text of a field without the spaces around it; empty if the request does not have the field. */
    static String text(HttpServletRequest request, String field) {
        String typed = request.getParameter(field);
        return typed == null ? "" : typed.strip();
    }

    /** @throws IllegalArgumentException if the text is not a number of at most nine digits */
    static int number(String text) {
        if (!NUMBER.matcher(text).matches()) {
            throw new IllegalArgumentException("Not a number");
        }
        return Integer.parseInt(text);
    }

    /** A number of seats, for a sentence. */
    static String seats(int seats) {
        return seats == 1 ? "1 seat" : "%,d seats".formatted(seats);
    }

    /** Says that a text is not an id; {@code what} it would be the id of, and what an id is. */
    static String noId(String text, String what) {
        return text.isEmpty()
                ? "Type the id of %s. %s".formatted(what, ID_HINT)
                : "%s is not the id of %s. %s".formatted(quoted(text, LONGEST_ID), what, ID_HINT);
    }

    /** Ids with spaces or commas between them. */
    static List<String> ids(String text) {
        return Stream.of(text.split("[\\s,;]+")).filter(id -> !id.isEmpty()).toList();
    }

    /**
     * Text of others inside a sentence, isolated in its direction (U+2068 to U+2069), so that it does not reorder the
     * words behind it. Characters that would end the isolation are left out.
     */
    static String quoted(String text, int longest) {
        StringBuilder quoted = new StringBuilder("“\u2068");
        text.codePoints()
                .filter(character -> character < 0x202A || character > 0x202E)
                .filter(character -> character < 0x2066 || character > 0x2069)
                .map(character ->
                        Character.getType(character) == Character.SURROGATE || Character.isISOControl(character)
                                ? '\uFFFD'
                                : character)
                .limit(longest)
                .forEach(quoted::appendCodePoint);
        return quoted.append("\u2069”").toString();
    }
}
