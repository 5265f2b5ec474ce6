package dev.registrar.http.dcb;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.http.problem.InvalidValueException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The text form of a head, which clients keep and send back: position, incarnation and the id of the event at the
 * position, separated by dots. The head of an empty store is {@code 0.} and the incarnation.
 */
public final class Basis {
    private static final String UUID_PATTERN = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

    private static final String FORM =
            "0\\." + UUID_PATTERN + "|[1-9][0-9]{0,17}\\." + UUID_PATTERN + "\\." + UUID_PATTERN;

    static final String PATTERN = "^(" + FORM + ")$";
    /** The form of the id of a server-sent event, or of a position alone. */
    public static final String ID_PATTERN = "^(0|[1-9][0-9]{0,17}|" + FORM + ")$";

    static final String DESCRIPTION =
            "The Registrar-Basis of an earlier read; answered 409 if the store has lost that history, or if tags of the query were added since to earlier events";
    static final String EXAMPLE = "12.5a0f6c1e-2f0b-4a57-9d0c-3b8a1f4e7d21.019a0000-0000-7000-8000-00000000000c";

    private Basis() {}

    public static String of(Head head) {
        String start = "%s.%s".formatted(head.position(), head.incarnation());
        return head.lastEventId() == null ? start : "%s.%s".formatted(start, head.lastEventId());
    }

    /**
     * Parses a basis.
     *
     * @param pointer to the basis in the request
     * @throws InvalidValueException if the text has another form
     */
    public static Head head(String pointer, String given) {
        if (!given.matches(PATTERN)) {
            throw new InvalidValueException(
                    pointer, "must be the Registrar-Basis of an earlier read: <position>.<incarnation>.<event id>");
        }
        String[] parts = given.split("\\.", -1);
        return new Head(
                Position.of(Long.parseLong(parts[0])),
                UUID.fromString(parts[1]),
                parts.length == 2 ? null : UUID.fromString(parts[2]));
    }

    /**
     * Checks that a basis covers a position.
     *
     * @param pointer to the position in the request
     * @throws InvalidValueException if the position is beyond the basis
     */
    static void check(@Nullable Head basis, String pointer, Position position) {
        if (basis != null && position.isAfter(basis.position())) {
            throw new InvalidValueException(
                    pointer,
                    "is %s, but the basis covers the history up to position %s only: send a later basis, or none"
                            .formatted(position, basis.position()));
        }
    }
}
