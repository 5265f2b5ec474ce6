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
                        .addDeserializer(
                                UUID.class,
                                new StrictText<>(UUID.class, RequestParameters::uuid, "not in its canonical form"))
                        .addDeserializer(
                                Instant.class,
                                new StrictText<>(Instant.class, Rfc3339::instant, "not in the format of RFC 3339"))
                        .addDeserializer(Integer.class, new StrictInteger<>(Integer.class, BigDecimal::intValueExact))
                        .addDeserializer(Long.class, new StrictInteger<>(Long.class, BigDecimal::longValueExact)));
    }

    /* Jackson's own deserializers reject a fraction of zeros, or drop any fraction. */
    private static final class StrictInteger<N extends Number> extends StdScalarDeserializer<N> {
        private final Class<N> type;
        private final Function<BigDecimal, N> exactValue;

        private StrictInteger(Class<N> type, Function<BigDecimal, N> exactValue) {
            super(type);
            this.type = type;
            this.exactValue = exactValue;
        }

        @Override
        @SuppressWarnings("unchecked")
        public N deserialize(JsonParser json, DeserializationContext context) {
            if (json.currentToken().isNumeric()) {
                try {
                    return exactValue.apply(json.getDecimalValue());
                } catch (ArithmeticException fractionOrTooLarge) {
                    // Refused below.
                }
            }
            return (N) context.handleUnexpectedToken(context.constructType(type), json);
        }
    }

    /*
     * Jackson's own deserializers accept more: a UUID in Base64, a time as a number of seconds or milliseconds, and the
     * empty string.
     */
    private static final class StrictText<T> extends StdScalarDeserializer<T> {
        private final Class<T> type;
        private final Function<String, T> value;
        private final String error;

        private StrictText(Class<T> type, Function<String, T> value, String error) {
            super(type);
            this.type = type;
            this.value = value;
            this.error = error;
        }

        @Override
        @SuppressWarnings("unchecked")
        public T deserialize(JsonParser json, DeserializationContext context) {
            if (json.currentToken() != JsonToken.VALUE_STRING) {
                return (T) context.handleUnexpectedToken(context.constructType(type), json);
            }
            String text = json.getString();
            try {
                return value.apply(text);
            } catch (IllegalArgumentException | DateTimeException unreadable) {
                throw context.weirdStringException(text, type, error);
            }
        }
    }
}
