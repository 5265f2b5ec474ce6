package dev.registrar.http.problem;

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
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;

/**
 * Takes JSON at its word: a number is no text and no name of a constant, an integer may be written as {@code 30.0}, as
 * in JSON Schema, a time is written as in RFC 3339, and no field is there twice.
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
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .addModule(new SimpleModule()
                        .addDeserializer(UUID.class, new CanonicalUuid())
                        .addDeserializer(Instant.class, new Moment())
                        .addDeserializer(
                                Integer.class,
                                new Whole<>(Integer.class, JsonParser::getIntValue, BigDecimal::intValueExact))
                        .addDeserializer(
                                Long.class,
                                new Whole<>(Long.class, JsonParser::getLongValue, BigDecimal::longValueExact)));
    }

    /* Jackson's own refuse a fraction of zeros, or drop any fraction. */
    private static final class Whole<N extends Number> extends StdScalarDeserializer<N> {
        private final Class<N> type;
        private final Function<JsonParser, N> written;
        private final Function<BigDecimal, N> exactly;

        private Whole(Class<N> type, Function<JsonParser, N> written, Function<BigDecimal, N> exactly) {
            super(type);
            this.type = type;
            this.written = written;
            this.exactly = exactly;
        }

        @Override
        @SuppressWarnings("unchecked")
        public N deserialize(JsonParser json, DeserializationContext context) {
            if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
                return written.apply(json);
            }
            if (json.currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
                try {
                    return exactly.apply(json.getDecimalValue());
                } catch (ArithmeticException fraction) {
                    // Refused below.
                }
            }
            return (N) context.handleUnexpectedToken(context.constructType(type), json);
        }
    }

    /* Jackson's own also takes Base64. */
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

    /* Jackson's own also takes numbers, in seconds or in milliseconds, and the empty text. */
    private static final class Moment extends StdScalarDeserializer<Instant> {
        private Moment() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser json, DeserializationContext context) {
            if (json.currentToken() != JsonToken.VALUE_STRING) {
                return (Instant) context.handleUnexpectedToken(context.constructType(Instant.class), json);
            }
            String text = json.getString();
            try {
                return Instant.parse(text);
            } catch (DateTimeException unreadable) {
                throw context.weirdStringException(text, Instant.class, "not as RFC 3339 has it");
            }
        }
    }
}
