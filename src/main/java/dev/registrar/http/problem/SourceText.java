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
 * A JSON value exactly as it was written; of a JSON string, what it says. So a client may send JSON as a value or as a
 * string that holds it, and the store keeps either byte for byte.
 */
@JsonDeserialize(using = SourceText.Deserializer.class)
public record SourceText(String text) {
    /** The reader's attribute that holds the whole text it reads. */
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
                throw new IllegalStateException("Whoever reads a source text tells its reader what it reads");
            }
            int begin = Math.toIntExact(json.currentTokenLocation().getCharOffset());
            skip(json);
            int end = Math.toIntExact(json.currentLocation().getCharOffset());
            return new SourceText(source.substring(begin, end));
        }

        /* What is inside is opaque: there a key may be there twice. */
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

        /* The parser keeps a context for each level and uses it again for a later value of that level. */
        private static void detectDuplicates(JsonReadContext outermost, @Nullable DupDetector duplicates) {
            JsonReadContext level = outermost;
            while ((level.getDupDetector() == null) != (duplicates == null)) {
                level.withDupDetector(duplicates == null ? null : duplicates.child());
                level = level.createChildObjectContext(1, 1);
            }
        }
    }
}
