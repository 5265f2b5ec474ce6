package dev.registrar.eventstore;

import java.util.BitSet;
import java.util.HexFormat;

/** Checks that a text is JSON (RFC 8259), without a JSON library and without recursion. */
public final class JsonSyntax {
    /** The maximum nesting depth of arrays and objects, which common parsers accept by default. */
    static final int MAX_DEPTH = 500;

    private static final char END = '\0';

    private final String text;
    private final BitSet objects = new BitSet();
    private int depth;
    private int at;

    private JsonSyntax(String text) {
        this.text = text;
    }

    /** The index of the first invalid character; the length of the text if it is incomplete; -1 if it is JSON. */
    public static int errorIn(String text) {
        JsonSyntax syntax = new JsonSyntax(text);
        return syntax.isValid() ? -1 : syntax.at;
    }

    private boolean isValid() {
        skipSpace();
        while (true) {
            if (peek() == '{' || peek() == '[') {
                if (depth == MAX_DEPTH) {
                    return false;
                }
                objects.set(depth, peek() == '{');
                depth++;
                at++;
                skipSpace();
                if (peek() != closing()) {
                    if (isInObject() && !isKey()) {
                        return false;
                    }
                    continue;
                }
            } else if (!isScalar()) {
                return false;
            }
            if (!endsContainers()) {
                return depth == 0 && at == text.length();
            }
        }
    }

    /* After a value: closes the containers that end here, and moves to the next value. False if no value may follow. */
    private boolean endsContainers() {
        while (true) {
            skipSpace();
            if (depth == 0) {
                return false;
            }
            if (peek() == closing()) {
                at++;
                depth--;
            } else {
                return is(',') && skipSpace() && (!isInObject() || isKey());
            }
        }
    }

    private boolean isInObject() {
        return objects.get(depth - 1);
    }

    private char closing() {
        return isInObject() ? '}' : ']';
    }

    /* Consumes a name and a colon. */
    private boolean isKey() {
        return isString() && skipSpace() && is(':') && skipSpace();
    }

    private boolean isScalar() {
        return switch (peek()) {
            case '"' -> isString();
            case 't' -> is("true");
            case 'f' -> is("false");
            case 'n' -> is("null");
            default -> isNumber();
        };
    }

    private boolean isString() {
        if (!is('"')) {
            return false;
        }
        while (at < text.length()) {
            char character = text.charAt(at);
            if (character < ' ') {
                return false;
            }
            at++;
            if (character == '"') {
                return true;
            }
            if (character == '\\' && !isEscape()) {
                return false;
            }
        }
        return false;
    }

    private boolean isEscape() {
        char character = peek();
        if (character == END || "\"\\/bfnrtu".indexOf(character) < 0) {
            return false;
        }
        at++;
        for (int digits = character == 'u' ? 4 : 0; digits > 0; digits--) {
            if (!HexFormat.isHexDigit(peek())) {
                return false;
            }
            at++;
        }
        return true;
    }

    private boolean isNumber() {
        is('-');
        if (!is('0') && !isDigits()) {
            return false;
        }
        if (is('.') && !isDigits()) {
            return false;
        }
        if (is('e') || is('E')) {
            if (!is('+')) {
                is('-');
            }
            return isDigits();
        }
        return true;
    }

    /* Consumes one digit or more. */
    private boolean isDigits() {
        int first = at;
        while (isDigit(peek())) {
            at++;
        }
        return at > first;
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    private boolean is(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (!is(word.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean is(char character) {
        if (peek() != character) {
            return false;
        }
        at++;
        return true;
    }

    /* Returns true, so that conditions can chain it. */
    private boolean skipSpace() {
        while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') {
            at++;
        }
        return true;
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : END;
    }
}
