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

    /** Ids with spaces or commas between them. */
    static List<String> ids(String text) {
        return Stream.of(text.split("[\\s,;]+")).filter(id -> !id.isEmpty()).toList();
    }
}
