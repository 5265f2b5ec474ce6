package dev.registrar.eventstore.postgres.connection;

import dev.registrar.eventstore.Tag;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;

/**
 * Text arrays in PostgreSQL's text form. A column of such values can hold arrays of different lengths, which a
 * multidimensional array cannot. The form is that of <a
 * href="https://www.postgresql.org/docs/18/arrays.html#ARRAYS-IO">array input</a>.
 */
public final class ArrayText {
    public static final String EMPTY = "{}";

    private ArrayText() {}

    /** The text form of an array of tags. */
    public static String ofTags(Collection<Tag> tags) {
        return of(tags.stream().map(Tag::value).toList());
    }

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

    /**
     * The texts of an array in the form that PostgreSQL writes: an element is in quotation marks if it is empty or has
     * a character that would not be clear without them.
     */
    public static List<String> parse(String array) {
        List<String> texts = new ArrayList<>();
        int end = array.length() - 1;
        int next = 1;
        while (next < end) {
            if (array.charAt(next) == '"') {
                StringBuilder text = new StringBuilder();
                for (next++; array.charAt(next) != '"'; next++) {
                    if (array.charAt(next) == '\\') {
                        next++;
                    }
                    text.append(array.charAt(next));
                }
                texts.add(text.toString());
                next += 2;
            } else {
                int comma = array.indexOf(',', next);
                int close = comma < 0 ? end : comma;
                texts.add(array.substring(next, close));
                next = close + 1;
            }
        }
        return texts;
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
