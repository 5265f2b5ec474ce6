package dev.registrar.relay;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.FlatJson;
import dev.registrar.eventstore.JsonSyntax;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.SequencedEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A stored event in the form of CloudEvents 1.0.
 *
 * @param source names the store and its incarnation
 * @param key the key in whose order the event is published; null for none
 */
public record CloudEvent(
        SequencedEvent stored, String source, @Nullable String key) {
    static final String JSON = "application/json";
    private static final String TEXT = "text/plain;charset=utf-8";

    Position position() {
        return stored.position();
    }

    /** The data: the payload as it was appended. */
    String data() {
        return stored.event().payload();
    }

    boolean isJson() {
        return JsonSyntax.errorIn(data()) < 0;
    }

    String contentType() {
        return isJson() ? JSON : TEXT;
    }

    /** The attributes by their names; the position, which may be a large number, as text. */
    Map<String, String> attributes() {
        Event event = stored.event();
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("specversion", "1.0");
        attributes.put("id", event.id().toString());
        attributes.put("source", source);
        attributes.put("type", event.type());
        attributes.put("time", stored.recordedAt().toString());
        if (key != null) {
            attributes.put("subject", key);
        }
        attributes.put("position", stored.position().toString());
        return attributes;
    }

    /** The event in the JSON format of CloudEvents. */
    String json() {
        StringBuilder json = new StringBuilder("{");
        attributes().forEach((name, value) -> FlatJson.append(json, name, value));
        FlatJson.append(json, "datacontenttype", contentType());
        if (isJson()) {
            json.append(",\"data\":").append(data());
        } else {
            FlatJson.append(json, "data", data());
        }
        return json.append('}').toString();
    }
}
