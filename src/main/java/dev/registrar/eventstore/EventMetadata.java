package dev.registrar.eventstore;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The metadata that the decision loop gives to events: a flat JSON object with these names, of which unknown parts are
 * left out. The store itself reads no metadata, and other clients may write theirs in another form.
 *
 * @param correlationId of everything that one outside request set off
 * @param causationId of the event or command that caused the command
 * @param actor the caller on whose behalf the command was carried out
 * @param commandType the name of the command's type
 * @param commandId one for each command that was carried out; all of its events have it
 */
public record EventMetadata(
        @Nullable String correlationId,
        @Nullable String causationId,
        @Nullable String actor,
        @Nullable String commandType,
        @Nullable String commandId) {

    /** The metadata in their stored form. */
    public String json() {
        StringBuilder json = new StringBuilder("{");
        append(json, "correlationId", correlationId);
        append(json, "causationId", causationId);
        append(json, "actor", actor);
        append(json, "commandType", commandType);
        append(json, "commandId", commandId);
        return json.append('}').toString();
    }

    /* Written and parsed without a JSON library, so that the decision loop and the views need none. */
    private static void append(StringBuilder json, String name, @Nullable String value) {
        if (value == null) {
            return;
        }
        json.append(json.length() > 1 ? "," : "").append('"').append(name).append("\":\"");
        for (int i = 0; i < value.length(); i++) {
            char character = value.charAt(i);
            switch (character) {
                case '"', '\\' -> json.append('\\').append(character);
                case '\b' -> json.append("\\b");
                case '\t' -> json.append("\\t");
                case '\n' -> json.append("\\n");
                case '\f' -> json.append("\\f");
                case '\r' -> json.append("\\r");
                default -> {
                    if (character < 0x20) {
                        json.append("\\u%04X".formatted((int) character));
                    } else {
                        json.append(character);
                    }
                }
            }
        }
        json.append('"');
    }

    /**
     * Reads stored metadata; empty if they are no flat JSON object of strings, so that another client must have written
     * them. Unknown names are ignored.
     */
    public static Optional<EventMetadata> parse(String json) {
        Map<String, String> values = new FlatJson(json).object();
        return values == null
                ? Optional.empty()
                : Optional.of(new EventMetadata(
                        values.get("correlationId"),
                        values.get("causationId"),
                        values.get("actor"),
                        values.get("commandType"),
                        values.get("commandId")));
    }

    /** Parses a JSON object whose values are strings. For one text and one thread. */
    private static final class FlatJson {
        private final String json;
        private int at;

        FlatJson(String json) {
            this.json = json;
        }

        /* Null if the text is anything else. */
        @Nullable Map<String, String> object() {
            Map<String, String> values = new LinkedHashMap<>();
            if (!takes('{')) {
                return null;
            }
            if (!takes('}')) {
                do {
                    String name = string();
                    String value = name != null && takes(':') ? string() : null;
                    if (name == null || value == null) {
                        return null;
                    }
                    values.put(name, value);
                } while (takes(','));
                if (!takes('}')) {
                    return null;
                }
            }
            skipSpace();
            return at == json.length() ? values : null;
        }

        private boolean takes(char expected) {
            skipSpace();
            if (at < json.length() && json.charAt(at) == expected) {
                at++;
                return true;
            }
            return false;
        }

        private void skipSpace() {
            while (at < json.length() && " \t\n\r".indexOf(json.charAt(at)) >= 0) {
                at++;
            }
        }

        private @Nullable String string() {
            if (!takes('"')) {
                return null;
            }
            StringBuilder text = new StringBuilder();
            while (at < json.length()) {
                char next = json.charAt(at++);
                if (next == '"') {
                    return text.toString();
                }
                int character = next == '\\' ? escaped() : next < 0x20 ? -1 : next;
                if (character < 0) {
                    return null;
                }
                text.append((char) character);
            }
            return null;
        }

        /* The character that stands behind a backslash; negative if there is none. */
        private int escaped() {
            if (at == json.length()) {
                return -1;
            }
            char letter = json.charAt(at++);
            return switch (letter) {
                case '"', '\\', '/' -> letter;
                case 'b' -> '\b';
                case 't' -> '\t';
                case 'n' -> '\n';
                case 'f' -> '\f';
                case 'r' -> '\r';
                case 'u' -> hexadecimal();
                default -> -1;
            };
        }

        private int hexadecimal() {
            int value = 0;
            int end = at + 4;
            if (end > json.length()) {
                return -1;
            }
            while (at < end) {
                char digit = json.charAt(at++);
                int number = digit < 0x80 ? Character.digit(digit, 16) : -1;
                if (number < 0) {
                    return -1;
                }
                value = value * 16 + number;
            }
            return value;
        }
    }
}
