package dev.registrar.http.gocrablet;

import dev.registrar.eventstore.Head;
import dev.registrar.http.dcb.Basis;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.http.problem.SourceText;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A place in the store, which clients of go-crablet keep as text: a position, or the basis in an append condition that
 * a projection answered with.
 *
 * @param basis null if the text was a position
 */
record EventId(long position, @Nullable String basis) {
    private static final Pattern POSITION = Pattern.compile("0|[1-9][0-9]{0,17}");
    private static final int SHOWN_CHARACTERS = 100;

    /**
     * Parses a place; null if it is absent.
     *
     * @param pointer to the place in the request
     * @throws InvalidValueException if the text has another form
     */
    static @Nullable EventId of(String pointer, @Nullable SourceText given) {
        if (given == null) {
            return null;
        }
        String text = given.text();
        if (POSITION.matcher(text).matches()) {
            return new EventId(Long.parseLong(text), null);
        }
        if (!text.matches(Basis.ID_PATTERN)) {
            throw new InvalidValueException(
                    pointer,
                    "is '%s', but must be the checkpointEventId of a read, or what a projection's append condition has there"
                            .formatted(text.substring(0, Math.min(text.length(), SHOWN_CHARACTERS))));
        }
        Head head = Basis.head(pointer, text);
        return new EventId(head.position().value(), text);
    }
}
