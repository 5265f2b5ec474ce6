package dev.registrar.eventstore;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The metadata that the decision loop adds to events: a flat JSON object with these names, without the unknown ones.
 * The store does not interpret metadata, and other clients may write metadata in another form. The {@link Actor} of an
 * event is not part of it.
 *
 * @param correlationId the id shared by everything that one external request has caused
 * @param causationId the id of the event or command that caused the command
 * @param commandType the name of the command's type
 * @param commandId a new id for each command that was carried out, shared by its events
 */
public record EventMetadata(
        @Nullable String correlationId,
        @Nullable String causationId,
        @Nullable String commandType,
        @Nullable String commandId) {

    /** The metadata in their stored form. */
    public String json() {
        StringBuilder json = new StringBuilder("{");
        FlatJson.append(json, "correlationId", correlationId);
        FlatJson.append(json, "causationId", causationId);
        FlatJson.append(json, "commandType", commandType);
        FlatJson.append(json, "commandId", commandId);
        return json.append('}').toString();
    }

    /**
     * Parses stored metadata. Empty if the text is not a flat JSON object of strings, which means that another client
     * wrote it. Unknown names are ignored.
     */
    public static Optional<EventMetadata> parse(String json) {
        Map<String, String> values = FlatJson.parse(json);
        return values == null
                ? Optional.empty()
                : Optional.of(new EventMetadata(
                        values.get("correlationId"),
                        values.get("causationId"),
                        values.get("commandType"),
                        values.get("commandId")));
    }
}
