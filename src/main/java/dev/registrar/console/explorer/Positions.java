package dev.registrar.console.explorer;

import dev.registrar.eventstore.Position;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Positions that a person types. */
final class Positions {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    private Positions() {}

    /** The position; null if the text is none. */
    static @Nullable Position parse(String text) {
        return NUMBER.matcher(text).matches() ? Position.of(Long.parseLong(text)) : null;
    }

    static Position before(Position position) {
        return Position.of(Math.max(0, position.value() - 1));
    }

    /** The sentence about a text that is no position. */
    static String wrong(String field) {
        return "%s must be a position: a whole number of up to 18 digits, or empty.".formatted(field);
    }
}
