package dev.registrar.decision;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where a command comes from. Its events carry it as metadata.
 *
 * @param correlationId of everything that one request of the outside set off; null if unknown
 * @param causationId of the event or command that caused this one; null if nothing of ours did
 * @param actor who asked; null if unknown
 */
public record Origin(
        @Nullable String correlationId,
        @Nullable String causationId,
        @Nullable String actor) {
    public static final Origin UNKNOWN = new Origin(null, null, null);

    private static final JsonMapper JSON = JsonMapper.shared();

    public static Origin correlatedBy(String correlationId) {
        return new Origin(correlationId, null, null);
    }

    /** As JSON text; what is null is left out. */
    public String metadata() {
        ObjectNode json = JSON.createObjectNode();
        if (correlationId != null) {
            json.put("correlationId", correlationId);
        }
        if (causationId != null) {
            json.put("causationId", causationId);
        }
        if (actor != null) {
            json.put("actor", actor);
        }
        return json.toString();
    }
}
