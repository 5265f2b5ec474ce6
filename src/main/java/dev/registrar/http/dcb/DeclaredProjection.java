package dev.registrar.http.dcb;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.registrar.eventstore.Query;
import dev.registrar.http.problem.InvalidValueException;
import java.math.BigDecimal;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * A fold over events that a client declares, of one of a fixed set of kinds.
 *
 * @param field JSON pointer to the value in an event's data; null if the kind needs none
 */
public record DeclaredProjection(
        String id, Query query, Kind kind, @Nullable JsonPointer field) {
    /** Bounds the digits of a sum. */
    private static final MathContext PRECISION = MathContext.DECIMAL128;

    /** The kinds of folds. */
    public enum Kind {
        /** The number of events. */
        @JsonProperty("count")
        COUNT,
        /** Whether there is an event. */
        @JsonProperty("exists")
        EXISTS,
        /** The value of the last event that has one; without a field, the whole data of the last event. */
        @JsonProperty("last")
        LAST,
        /** The sum of all numbers, to 34 digits. */
        @JsonProperty("sum")
        SUM,
        /** The smallest number. */
        @JsonProperty("min")
        MIN,
        /** The largest number. */
        @JsonProperty("max")
        MAX;

        public boolean needsField() {
            return switch (this) {
                case COUNT, EXISTS, LAST -> false;
                case SUM, MIN, MAX -> true;
            };
        }
    }

    /**
     * Checks a declaration.
     *
     * @param pointer to the declaration in the request
     * @throws InvalidValueException if the field is missing or not a JSON pointer
     */
    static DeclaredProjection of(String pointer, String id, Query query, Kind kind, @Nullable String field) {
        if (field == null && kind.needsField()) {
            throw new InvalidValueException(pointer + "/field", "is required for this kind");
        }
        try {
            return new DeclaredProjection(id, query, kind, field == null ? null : JsonPointer.compile(field));
        } catch (IllegalArgumentException malformed) {
            throw new InvalidValueException(pointer + "/field", "must be a JSON pointer, such as /capacity");
        }
    }

    /** The state before the first event; null for kinds that have no value then. */
    @Nullable Object initial() {
        return switch (kind) {
            case COUNT -> 0L;
            case EXISTS -> false;
            case SUM -> BigDecimal.ZERO;
            case LAST, MIN, MAX -> null;
        };
    }

    /** The state after one more event. An event without a number at the field does not change a sum, min or max. */
    @Nullable Object apply(@Nullable Object state, EventData data) {
        return switch (kind) {
            case COUNT -> state instanceof Long count ? count + 1 : 1L;
            case EXISTS -> true;
            case LAST -> last(state, data);
            case SUM, MIN, MAX -> {
                BigDecimal number = field == null ? null : data.number(field);
                yield number == null ? state : state instanceof BigDecimal before ? merged(before, number) : number;
            }
        };
    }

    private BigDecimal merged(BigDecimal before, BigDecimal number) {
        return switch (kind) {
            case SUM -> before.add(number, PRECISION);
            case MIN -> before.min(number);
            case MAX -> before.max(number);
            case COUNT, EXISTS, LAST -> throw new IllegalStateException("%s does not combine numbers".formatted(kind));
        };
    }

    private @Nullable Object last(@Nullable Object state, EventData data) {
        if (field == null) {
            return data.text();
        }
        JsonNode value = data.at(field);
        return value.isMissingNode() ? state : value;
    }

    /** The data of an event, parsed as JSON at the first access. */
    static final class EventData {
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
}
