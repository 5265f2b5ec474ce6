package dev.registrar.decision;

import org.jspecify.annotations.Nullable;

/**
 * The origin of a command. Its events carry it as metadata.
 *
 * @param correlationId of everything that one outside request set off; null if unknown
 * @param causationId of the event or command that caused this one; null if there is none
 * @param actor the caller on whose behalf the command runs; null if unknown
 */
public record Origin(
        @Nullable String correlationId,
        @Nullable String causationId,
        @Nullable String actor) {
    public static final Origin UNKNOWN = new Origin(null, null, null);

    public static Origin correlatedBy(String correlationId) {
        return new Origin(correlationId, null, null);
    }

    /** The origin as a JSON object; unknown parts are left out. */
    public String metadata() {
        StringBuilder json = new StringBuilder("{");
        append(json, "correlationId", correlationId);
        append(json, "causationId", causationId);
        append(json, "actor", actor);
        return json.append('}').toString();
    }

    /* Written without a JSON library, so that the decision loop needs none. */
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
}
