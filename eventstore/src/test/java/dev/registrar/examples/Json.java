package dev.registrar.examples;

import dev.registrar.eventstore.Event;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import tools.jackson.databind.json.JsonMapper;

/** The simplest encoding of events: the type is a record's name, the payload the record as JSON. */
final class Json {
    private static final JsonMapper JSON = JsonMapper.shared();

    static Event event(Record data, String... tags) {
        return Event.of(data.getClass().getSimpleName(), JSON.writeValueAsString(data), tags);
    }

    static <T> T data(Event event, Class<T> type) {
        return JSON.readValue(event.payload(), type);
    }

    /** For tags about people: a tag should hold no personal data. */
    static String hash(String personal) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(personal.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256", impossible);
        }
    }

    private Json() {}
}
