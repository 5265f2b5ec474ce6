package dev.registrar.eventstore.postgres.connection;

import java.util.Iterator;

/**
 * Text arrays in PostgreSQL's text form. A column of such values can hold arrays of different lengths, which a
 * multidimensional array cannot. The form is that of <a
 * href="https://www.postgresql.org/docs/18/arrays.html#ARRAYS-IO">array input</a>.
 */
public final class ArrayText {
    public static final String EMPTY = "{}";

    private ArrayText() {}

    /** The text form of a text array. */
    public static String of(Iterable<String> texts) {
        Iterator<String> rest = texts.iterator();
        if (!rest.hasNext()) {
            return EMPTY;
        }
        StringBuilder array = new StringBuilder(64).append('{');
        quote(rest.next(), array);
        while (rest.hasNext()) {
            array.append(',');
            quote(rest.next(), array);
        }
        return array.append('}').toString();
    }

    private static void quote(String text, StringBuilder array) {
        array.append('"');
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character == '"' || character == '\\') {
                array.append('\\');
            }
            array.append(character);
        }
        array.append('"');
    }
}
