package dev.registrar.http.problem;

import dev.registrar.enrollment.Rfc3339;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Function;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;

/**
 * Makes JSON strict where {@code spring.jackson} has no setting: a number is not a string, a UUID is in its canonical
 * form, and a time has the format of RFC 3339. An integer may be written as {@code 30.0}, as in JSON Schema.
 */
@Configuration(proxyBeanMethods = false)
class JsonConfiguration {

    @Bean
    JsonMapperBuilderCustomizer strictJson() {
        return json -> json.withCoercionConfig(
                        LogicalType.Textual,
                        text -> text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
                .withCoercionConfig(
                        UUID.class, id -> id.setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail))
                .addModule(new SimpleModule()
                        .addDeserializer(UUID.class, new CanonicalUuid())
                        .addDeserializer(Instant.class, new StrictInstant())
                        .addDeserializer(
                                Integer.class,
                                new StrictInteger<>(Integer.class, JsonParser::getIntValue, BigDecimal::intValueExact))
                        .addDeserializer(
                                Long.class,
                                new StrictInteger<>(Long.class, JsonParser::getLongValue, BigDecimal::longValueExact)));
    }

    /* Jackson's own deserializers reject a fraction of zeros, or drop any fraction. */
    private static final class StrictInteger<N extends Number> extends StdScalarDeserializer<N> {
        private final Class<N> type;
        private final Function<JsonParser, N> value;
        private final Function<BigDecimal, N> exactValue;

        private StrictInteger(Class<N> type, Function<JsonParser, N> value, Function<BigDecimal, N> exactValue) {
            super(type);
            this.type = type;
            this.value = value;
            this.exactValue = exactValue;
        }

        @Override
        @SuppressWarnings("unchecked")
        public N deserialize(JsonParser json, DeserializationContext context) {
            if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
                return value.apply(json);
            }
            if (json.currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
                try {
                    return exactValue.apply(json.getDecimalValue());
                } catch (ArithmeticException fraction) {
                    // Refused below.
                }
            }
            return (N) context.handleUnexpectedToken(context.constructType(type), json);
        }
    }

    /* Jackson's own deserializer accepts Base64 as well. */
    private static final class CanonicalUuid extends StdScalarDeserializer<UUID> {
        private CanonicalUuid() {
            super(UUID.class);
        }

        @Override
        public UUID deserialize(JsonParser json, DeserializationContext context) {
            if (json.currentToken() != JsonToken.VALUE_STRING) {
                return (UUID) context.handleUnexpectedToken(context.constructType(UUID.class), json);
            }
            String text = json.getString();
            try {
                return RequestParameters.uuid(text);
            } catch (IllegalArgumentException unreadable) {
                throw context.weirdStringException(text, UUID.class, "not in its canonical form");
            }
        }
    }

    /* Jackson's own deserializer accepts numbers of seconds or milliseconds and the empty string as well. */
    private static final class StrictInstant extends StdScalarDeserializer<Instant> {
        private StrictInstant() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser json, DeserializationContext context) {
            if (json.currentToken() != JsonToken.VALUE_STRING) {
                return (Instant) context.handleUnexpectedToken(context.constructType(Instant.class), json);
            }
            String text = json.getString();
            try {
                return Rfc3339.instant(text);
            } catch (DateTimeException unreadable) {
                throw context.weirdStringException(text, Instant.class, "not in the format of RFC 3339");
            }
        }
    }
}
