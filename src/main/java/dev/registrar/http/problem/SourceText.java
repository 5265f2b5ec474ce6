package dev.registrar.http.problem;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.DupDetector;
import tools.jackson.core.json.JsonReadContext;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.deser.std.StdDeserializer;

/**
 * The source text of a JSON value; for a JSON string, its content. A client may send JSON as a value or as a string
 * that contains it, and the store keeps either byte for byte.
 */
@JsonDeserialize(using = SourceText.Deserializer.class)
public record SourceText(String text) {
    /** The reader attribute that holds the whole source. */
    public static final String SOURCE = SourceText.class.getName();

    static final class Deserializer extends StdDeserializer<SourceText> {
        Deserializer() {
            super(SourceText.class);
        }

        @Override
        public SourceText deserialize(JsonParser json, DeserializationContext context) {
            if (json.currentToken() == JsonToken.VALUE_STRING) {
                return new SourceText(json.getString());
            }
            if (!(context.getAttribute(SOURCE) instanceof String source)) {
                throw new IllegalStateException(
                        "The reader needs the attribute %s with the whole source".formatted(SOURCE));
            }
            int begin = Math.toIntExact(json.currentTokenLocation().getCharOffset());
            skip(json);
            int end = Math.toIntExact(json.currentLocation().getCharOffset());
            return new SourceText(source.substring(begin, end));
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
