package dev.registrar.http;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.deser.std.StdDeserializer;

/**
 * A JSON value exactly as it was written; of a JSON string, what it says. So a client may send JSON as a value or as a
 * string that holds it, and the store keeps either byte for byte.
 */
@JsonDeserialize(using = SourceText.Deserializer.class)
record SourceText(String text) {
    /** The reader's attribute that holds the whole text it reads. */
    static final String SOURCE = SourceText.class.getName();

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
            json.skipChildren();
            int end = Math.toIntExact(json.currentLocation().getCharOffset());
            return new SourceText(source.substring(begin, end));
        }
    }
}
