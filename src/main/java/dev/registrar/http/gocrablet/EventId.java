package dev.registrar.http.gocrablet;

import dev.registrar.eventstore.Head;
import dev.registrar.http.dcb.Basis;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.http.problem.SourceText;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A position in the store, as clients of go-crablet keep it in text: a number, or the basis in the append condition of
 * a projection's answer.
 *
 * @param basis null if the text was a number
 */
record EventId(long position, @Nullable String basis) {
    private static final Pattern POSITION = Pattern.compile("0|[1-9][0-9]{0,17}");
    private static final int SHOWN_CHARACTERS = 100;

    /**
     * Parses an event id; null if it is absent.
     *
     * @param pointer to the event id in the request
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
                    "is '%s', but must be the checkpointEventId of a read, or the after of a projection's append condition"
                            .formatted(text.substring(0, Math.min(text.length(), SHOWN_CHARACTERS))));
        }
        Head head = Basis.head(pointer, text);
        return new EventId(head.position().value(), text);
    }
}
