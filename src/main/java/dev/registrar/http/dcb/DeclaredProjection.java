package dev.registrar.http.dcb;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.registrar.eventstore.Query;
import dev.registrar.http.problem.InvalidValueException;
import java.math.BigDecimal;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

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
}
