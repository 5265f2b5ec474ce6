package dev.registrar.console.explorer;

import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.RefusedInputException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Positions as they are typed. */
final class Positions {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    private Positions() {}

    /** The position; null if the text is none. */
    static @Nullable Position parse(String text) {
        return NUMBER.matcher(text).matches() ? Position.of(Long.parseLong(text)) : null;
    }

    /**
     * The position in a field; null if it is empty.
     *
     * @throws RefusedInputException if the text is no position
     */
    static @Nullable Position in(String field, String text) {
        Position position = parse(text);
        if (position == null && !text.isEmpty()) {
            throw new RefusedInputException(
                    "%s must be a position: a whole number of up to 18 digits, or empty.".formatted(field));
        }
        return position;
    }

    static Position before(Position position) {
        return Position.of(Math.max(0, position.value() - 1));
    }
}
