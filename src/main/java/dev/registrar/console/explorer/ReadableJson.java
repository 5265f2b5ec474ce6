package dev.registrar.console.explorer;

import java.io.StringWriter;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.core.util.Separators.Spacing;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * A payload or metadata as a person reads it: JSON with line breaks and the stored digits, everything else as it is.
 *
 * @param text at most {@value #MOST} characters, apart from escapes of invisible ones
 * @param isJson whether the stored text is JSON
 * @param length the number of characters of the stored text
 * @param cut whether the text is longer than is shown
 */
record ReadableJson(String text, boolean isJson, int length, boolean cut) {
    /** Maximum number of characters that are shown. */
    static final int MOST = 200_000;

    private static final PrettyPrinter LINES = new DefaultPrettyPrinter(
                    Separators.createDefaultInstance().withObjectNameValueSpacing(Spacing.AFTER))
            .withObjectIndenter(new DefaultIndenter("  ", "\n"));
    private static final ObjectWriter JSON = JsonMapper.shared().writer().with(LINES);

    static ReadableJson of(String stored) {
        StringWriter indented = new StringWriter();
        boolean isJson = indent(stored, indented);
        String text = isJson ? indented.toString() : stored;
        boolean cut = text.length() > MOST;
        return new ReadableJson(Visible.block(cut ? text.substring(0, MOST) : text), isJson, stored.length(), cut);
    }

    /* Reads to the end, and writes a little more than the maximum: indentation could make a deep structure very long. */
    private static boolean indent(String stored, StringWriter indented) {
        int values = 0;
        try (JsonParser json = JsonMapper.shared().createParser(stored);
                JsonGenerator lines = JSON.createGenerator(indented)) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (indented.getBuffer().length() <= MOST) {
                    copy(token, json, lines);
                }
                values += json.streamReadContext().inRoot() ? 1 : 0;
            }
        } catch (JacksonException other) {
            return false;
        }
        return values == 1;
    }

    /* A number as text: as a value it could be rounded, infinite or without its sign. */
    private static void copy(JsonToken token, JsonParser json, JsonGenerator lines) {
        if (token.isNumeric()) {
            lines.writeNumber(json.getString());
        } else {
            lines.copyCurrentEventExact(json);
        }
    }
}
