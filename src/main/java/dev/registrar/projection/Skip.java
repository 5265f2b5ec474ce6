package dev.registrar.projection;

import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.Position;
import java.time.Instant;

/**
 * An event that a view or an automation has left out.
 *
 * @param reason why it could not be handled
 * @param at when it was left out
 */
public record Skip(Position position, By by, String reason, Instant at) {

    /** Why an event was left out. */
    public enum By {
        /** It cannot be read. */
        UNREADABLE,
        /** It could not be handled, and the settings say that it is left out then. */
        SETTING,
        /** It could not be handled, and an operator said so. */
        OPERATOR;

        public String text() {
            return KebabCase.of(this);
        }

        static By of(String text) {
            return KebabCase.parse(By.class, text);
        }
    }
}
