package dev.registrar.http;

import java.time.DateTimeException;
import java.time.Instant;
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

/** Takes JSON at its word: a number is no text, and a moment is written as RFC 3339 has it. */
@Configuration(proxyBeanMethods = false)
class JsonConfiguration {

    @Bean
    JsonMapperBuilderCustomizer strictJson() {
        return json -> json.withCoercionConfig(
                        LogicalType.Textual,
                        text -> text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
                .addModule(new SimpleModule().addDeserializer(Instant.class, new Moment()));
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
