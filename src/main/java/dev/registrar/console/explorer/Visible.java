package dev.registrar.console.explorer;

import java.util.Locale;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Texts of events with every character visible. Characters that have no shape of their own, or that change the
 * direction of others, are written as escapes; so no text of an event can pretend to be another one. Templates call it
 * by its bean's name.
 */
@Component("visible")
final class Visible {

    /** The text on one line. */
    public static String line(String text) {
        return escaped(text, Visible::isHidden);
    }

    /** The text with its line breaks and tabs. */
    static String block(String text) {
        return escaped(text, point -> point != '\n' && point != '\t' && isHidden(point));
    }

    /** The beginning of the text, on one line, with an ellipsis if it is longer. */
    public static String beginning(String text, int most) {
        if (text.length() <= most) {
            return line(text);
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return line(text.substring(0, end)) + "…";
    }

    private static String escaped(String text, IntPredicate hidden) {
        if (text.codePoints().noneMatch(hidden)) {
            return text;
        }
        return text.codePoints()
                .mapToObj(point -> hidden.test(point) ? escape(point) : Character.toString(point))
                .collect(Collectors.joining());
    }

    private static boolean isHidden(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> true;
            default -> (Character.isSpaceChar(point) && point != ' ') || isWithoutShape(point);
        };
    }

    /* Variation selectors of rare forms, the grapheme joiner and the fillers of Hangul. */
    private static boolean isWithoutShape(int point) {
        return (point >= 0xE0100 && point <= 0xE01EF)
                || point == 0x034F
                || point == 0x115F
                || point == 0x1160
                || point == 0x3164
                || point == 0xFFA0;
    }

    /* One or two escapes, as JSON has them. */
    private static String escape(int point) {
        return switch (point) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default ->
                Character.toString(point)
                        .chars()
                        .mapToObj(unit -> String.format(Locale.ROOT, "\\u%04x", unit))
                        .collect(Collectors.joining());
        };
    }
}
