package dev.registrar.decision;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The stored form of one class of events: it writes them as JSON objects and reads them, also from earlier versions.
 *
 * @param type the type name under which events are stored
 * @param formerTypes the type names under which events were stored before
 * @param upcasts the conversion steps from one version of the payload to the next; the first step converts version 1
 */
record EventForm<E>(
        Class<? extends E> event,
        String type,
        Set<String> formerTypes,
        List<UnaryOperator<ObjectNode>> upcasts,
        JsonMapper json) {
    private static final String VERSION = "@version";

    Set<String> allTypes() {
        Set<String> all = new LinkedHashSet<>();
        all.add(type);
        all.addAll(formerTypes);
        return all;
    }

    int version() {
        return upcasts.size() + 1;
    }

    /** The end of a payload of the current version that has other properties. */
    private String end() {
        return upcasts.isEmpty() ? "}" : "," + versionAndEnd();
    }

    private String versionAndEnd() {
        return "\"" + VERSION + "\":" + version() + "}";
    }

    /** @throws IllegalArgumentException if the event would not be read back equal */
    String write(E written) {
        String payload = payload(written);
        requireReadable(written, payload);
        return payload;
    }

    private String payload(E written) {
        String text = json.writeValueAsString(written);
        if (!isObject(text)) {
            throw new IllegalArgumentException(
                    "A '%s' event must be written as a JSON object, but its JSON is another value".formatted(type));
        }
        if (version() == 1) {
            return text;
        }
        String properties = text.substring(0, text.lastIndexOf('}'));
        return properties + (properties.substring(1).isBlank() ? versionAndEnd() : end());
    }

    private void requireReadable(E written, String payload) {
        E read;
        try {
            read = read(type, payload);
        } catch (IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(
                    "A '%s' event cannot be stored: its JSON could not be read".formatted(type), unreadable);
        }
        if (read.equals(written)) {
            return;
        }
        // Two equal payloads are read as different events if a value has no equals, such as an array.
        boolean isComparable = read.equals(read(type, payload));
        if (isComparable || !payload(read).equals(payload)) {
            throw new IllegalArgumentException("A '%s' event cannot be stored: it would be read with other values of %s"
                    .formatted(type, differences(written, read)));
        }
    }

    private String differences(E event, E read) {
        JsonNode written = json.valueToTree(event);
        JsonNode again = json.valueToTree(read);
        List<String> names = written.propertyNames().stream()
                .filter(name -> !written.get(name).equals(again.get(name)))
                .toList();
        return names.isEmpty()
                ? "another type (a property of type Object cannot hold, for example, a UUID or a BigDecimal)"
                : String.join(", ", names);
    }

    /**
     * Reads a payload.
     *
     * @param storedType the type name under which it was stored, for messages
     * @throws IllegalArgumentException if it cannot be read
     * @throws NewerEventException if its version is a later one
     */
    E read(String storedType, String payload) {
        String current = current(storedType, payload);
        if (current == null) {
            ObjectNode upgraded = upcast(parse(storedType, payload));
            return readable(storedType, () -> json.treeToValue(upgraded, event));
        }
        return readable(storedType, () -> json.readValue(current, event));
    }

    /*
     * The properties of a payload of the current version, as it was written; null if it must be read as a tree. A tree
     * takes more time, and does not keep the sign of a zero.
     */
    private @Nullable String current(String storedType, String payload) {
        String end = end();
        if (!isObject(payload) || !payload.endsWith(end)) {
            return null;
        }
        String properties = version() == 1 ? payload : payload.substring(0, payload.length() - end.length()) + "}";
        // A text or a nested property may contain the name, too.
        boolean hasVersion =
                properties.contains(VERSION) && parse(storedType, properties).has(VERSION);
        return hasVersion ? null : properties;
    }

    private static boolean isObject(String payload) {
        return payload.startsWith("{");
    }

    private static <T> T readable(String storedType, Supplier<? extends T> reading) {
        try {
            return reading.get();
        } catch (RuntimeException failure) {
            throw unreadable(storedType, failure);
        }
    }

    private ObjectNode parse(String storedType, String payload) {
        if (readable(storedType, () -> trees().readTree(payload)) instanceof ObjectNode object) {
            return object;
        }
        throw new IllegalArgumentException("The payload of a '%s' event is not a JSON object".formatted(storedType));
    }

    /* The tree of a payload keeps the digits of numbers, whatever the mapper does. */
    private ObjectReader trees() {
        return json.reader()
                .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);
    }

    private ObjectNode upcast(ObjectNode payload) {
        JsonNode stored = payload.remove(VERSION);
        int version = stored == null ? 1 : stored.isInt() ? stored.intValue() : 0;
        if (version < 1) {
            throw new IllegalArgumentException(
                    "The payload version of a '%s' event must be 1 or more but is %s".formatted(type, stored));
        }
        if (version > version()) {
            throw new NewerEventException(
                    "A '%s' event has payload version %s, but this instance reads versions up to %s; upgrade it"
                            .formatted(type, version, version()));
        }
        ObjectNode current = payload;
        for (UnaryOperator<ObjectNode> step : upcasts.subList(version - 1, upcasts.size())) {
            ObjectNode before = current;
            current = readable(type, () -> step.apply(before));
        }
        return current;
    }

    /* The message omits the payload, which may contain personal data; the cause names the field. */
    private static IllegalArgumentException unreadable(String storedType, RuntimeException cause) {
        return new IllegalArgumentException("The payload of a '%s' event cannot be read".formatted(storedType), cause);
    }
}
