package dev.registrar.http.dcb;

import dev.registrar.http.admission.BoundedBody;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.DupDetector;
import tools.jackson.core.json.JsonReadContext;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.deser.std.StdDeserializer;

/**
 * The source text of a JSON value in the body of the current request; for a JSON string, its content. A client may send
 * JSON as a value or as a string that contains it, and the store keeps either byte for byte.
 */
@JsonDeserialize(using = SourceText.Deserializer.class)
public record SourceText(String text) {
    static final class Deserializer extends StdDeserializer<SourceText> {
        Deserializer() {
            super(SourceText.class);
        }

        @Override
        public SourceText deserialize(JsonParser json, DeserializationContext context) {
            if (json.currentToken() == JsonToken.VALUE_STRING) {
                return new SourceText(json.getString());
            }
            int begin = Math.toIntExact(json.currentTokenLocation().getByteOffset());
            skip(json);
            int end = Math.toIntExact(json.currentLocation().getByteOffset());
            return new SourceText(new String(body(), begin, end - begin, StandardCharsets.UTF_8));
        }

        private static byte[] body() {
            ServletRequestAttributes current =
                    (ServletRequestAttributes) RequestContextHolder.currentRequestAttributes();
            return BoundedBody.body(current.getRequest());
        }

        /* The value is opaque: its objects may contain a key twice. */
        private static void skip(JsonParser json) {
            if (json.currentToken().isStructStart()
                    && json.streamReadContext() instanceof JsonReadContext opaque
                    && opaque.getDupDetector() != null) {
                DupDetector duplicates = opaque.getDupDetector();
                detectDuplicates(opaque, null);
                json.skipChildren();
                detectDuplicates(opaque, duplicates);
            } else {
                json.skipChildren();
            }
        }

        /* The parser keeps one context per nesting level and reuses it for later values of that level. */
        private static void detectDuplicates(JsonReadContext outermost, @Nullable DupDetector duplicates) {
            JsonReadContext level = outermost;
            while ((level.getDupDetector() == null) != (duplicates == null)) {
                level.withDupDetector(duplicates == null ? null : duplicates.child());
                level = level.createChildObjectContext(1, 1);
            }
        }
    }
}
