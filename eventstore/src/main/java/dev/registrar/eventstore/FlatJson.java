package dev.registrar.eventstore;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON objects whose values are strings, and arrays of strings, written and parsed without a JSON library: the store,
 * the decision loop and the views need none.
 */
public final class FlatJson {
    private final String json;
    private int at;

    private FlatJson(String json) {
        this.json = json;
    }

    /** Adds a value under a name, which is not escaped, to an object that is not closed yet. Ignores null. */
    public static void append(StringBuilder json, String name, @Nullable String value) {
        if (value == null) {
            return;
        }
        json.append(json.length() > 1 ? "," : "").append('"').append(name).append("\":");
        append(json, value);
    }

    /** An array of strings. */
    static String array(Collection<String> values) {
        StringBuilder json = new StringBuilder("[");
        for (String value : values) {
            if (json.length() > 1) {
                json.append(',');
            }
            append(json, value);
        }
        return json.append(']').toString();
    }

    private static void append(StringBuilder json, String value) {
        json.append('"');
        for (int i = 0; i < value.length(); i++) {
            char character = value.charAt(i);
            switch (character) {
                case '"', '\\' -> json.append('\\').append(character);
                case '\b' -> json.append("\\b");
                case '\t' -> json.append("\\t");
                case '\n' -> json.append("\\n");
                case '\f' -> json.append("\\f");
                case '\r' -> json.append("\\r");
                default -> {
                    if (character < 0x20) {
                        json.append(String.format(Locale.ROOT, "\\u%04X", (int) character));
                    } else {
                        json.append(character);
                    }
                }
            }
        }
        json.append('"');
    }

    /** The names and values of an object; null if the text is not such an object. */
    static @Nullable Map<String, String> parse(String json) {
        return new FlatJson(json).object();
    }

    /** The values of an array of strings; null if the text is not such an array. */
    static @Nullable List<String> parseArray(String json) {
        return new FlatJson(json).array();
    }

    private @Nullable List<String> array() {
        List<String> values = new ArrayList<>();
        if (!takes('[')) {
            return null;
        }
        if (!takes(']')) {
            do {
                String value = string();
                if (value == null) {
                    return null;
                }
                values.add(value);
            } while (takes(','));
            if (!takes(']')) {
                return null;
            }
        }
        skipSpace();
        return at == json.length() ? values : null;
    }

    private @Nullable Map<String, String> object() {
        Map<String, String> values = new LinkedHashMap<>();
        if (!takes('{')) {
            return null;
        }
        if (!takes('}')) {
            do {
                String name = string();
                String value = name != null && takes(':') ? string() : null;
                if (name == null || value == null) {
                    return null;
                }
                values.put(name, value);
            } while (takes(','));
            if (!takes('}')) {
                return null;
            }
        }
        skipSpace();
        return at == json.length() ? values : null;
    }

    private boolean takes(char expected) {
        skipSpace();
        if (at < json.length() && json.charAt(at) == expected) {
            at++;
            return true;
        }
        return false;
    }

    private void skipSpace() {
        while (at < json.length() && " \t\n\r".indexOf(json.charAt(at)) >= 0) {
            at++;
        }
    }

    private @Nullable String string() {
        if (!takes('"')) {
            return null;
        }
        StringBuilder text = new StringBuilder();
        while (at < json.length()) {
            char next = json.charAt(at++);
            if (next == '"') {
                return text.toString();
            }
            int character = next == '\\' ? escaped() : next < 0x20 ? -1 : next;
            if (character < 0) {
                return null;
            }
            text.append((char) character);
        }
        return null;
    }

    /* The character that an escape sequence stands for; negative if the sequence is invalid. */
    private int escaped() {
        if (at == json.length()) {
            return -1;
        }
        char letter = json.charAt(at++);
        return switch (letter) {
            case '"', '\\', '/' -> letter;
            case 'b' -> '\b';
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'f' -> '\f';
            case 'r' -> '\r';
            case 'u' -> hexadecimal();
            default -> -1;
        };
    }

    private int hexadecimal() {
        int first = at;
        at += 4;
        return at <= json.length() && json.substring(first, at).chars().allMatch(HexFormat::isHexDigit)
                ? HexFormat.fromHexDigits(json, first, at)
                : -1;
    }
}
