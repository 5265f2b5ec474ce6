package dev.registrar.http.dcb;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** The data of an event, parsed as JSON at the first access. */
final class EventData {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
    /** Numbers with more digits before or after the decimal point are ignored: arithmetic on them is expensive. */
    private static final int MAX_DIGITS = 1_000;

    private final String text;
    private @Nullable JsonNode json;

    EventData(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    /** The value at a pointer; a missing node if there is no value or the mapper cannot parse the data. */
    JsonNode at(JsonPointer field) {
        JsonNode read = json;
        if (read == null) {
            read = read();
            json = read;
        }
        return read.at(field);
    }

    private JsonNode read() {
        try {
            return JSON.readTree(text);
        } catch (JacksonException | NumberFormatException unreadable) {
            // The latter is for numbers such as 1e2147483648, whose exponent BigDecimal cannot hold.
            return MissingNode.getInstance();
        }
    }

    /** The number at a pointer; null if there is none. */
    @Nullable BigDecimal number(JsonPointer field) {
        JsonNode value = at(field);
        if (!value.isNumber()) {
            return null;
        }
        BigDecimal number = value.decimalValue();
        return Math.abs((long) number.scale()) > MAX_DIGITS || number.precision() > MAX_DIGITS ? null : number;
    }
}
