package dev.registrar.console.explorer;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A payload or metadata as a person reads it: JSON with line breaks, everything else as it is. No token is changed: a
 * number keeps its digits, and a string its escapes.
 *
 * @param text at most {@value #MOST} characters, apart from escapes of invisible ones
 * @param isJson whether the stored text is JSON
 * @param length the number of characters of the stored text
 * @param cut whether the text is longer than is shown
 */
record ReadableJson(String text, boolean isJson, int length, boolean cut) {
    /** Maximum number of characters that are shown. */
    static final int MOST = 200_000;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    static ReadableJson of(String stored) {
        boolean isJson = isJson(stored);
        String text = isJson ? indented(stored) : stored;
        boolean cut = text.length() > MOST;
        return new ReadableJson(Visible.block(cut ? text.substring(0, MOST) : text), isJson, stored.length(), cut);
    }

    private static boolean isJson(String stored) {
        try {
            return !JSON.readTree(stored).isMissingNode();
        } catch (JacksonException other) {
            return false;
        }
    }

    /* Stops beyond the maximum: indentation could make a deep structure very long. */
    private static String indented(String json) {
        StringBuilder text = new StringBuilder();
        int depth = 0;
        boolean inString = false;
        for (int at = 0; at < json.length() && text.length() <= MOST; at++) {
            char character = json.charAt(at);
            if (inString) {
                text.append(character);
                if (character == '\\') {
                    at++;
                    text.append(json.charAt(at));
                } else if (character == '"') {
                    inString = false;
                }
                continue;
            }
            switch (character) {
                case '"' -> {
                    inString = true;
                    text.append(character);
                }
                case '{', '[' -> {
                    text.append(character);
                    int end = skipSpace(json, at + 1);
                    if (json.charAt(end) == '}' || json.charAt(end) == ']') {
                        text.append(json.charAt(end));
                        at = end;
                    } else {
                        depth++;
                        newLine(text, depth);
                    }
                }
                case '}', ']' -> {
                    depth--;
                    newLine(text, depth);
                    text.append(character);
                }
                case ',' -> {
                    text.append(character);
                    newLine(text, depth);
                }
                case ':' -> text.append(": ");
                case ' ', '\t', '\n', '\r' -> {}
                default -> text.append(character);
            }
        }
        return text.toString();
    }

    private static int skipSpace(String json, int from) {
        int at = from;
        while (" \t\n\r".indexOf(json.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }

    private static void newLine(StringBuilder text, int depth) {
        text.append('\n').append("  ".repeat(depth));
    }
}
