package dev.registrar.imports;

import org.jspecify.annotations.Nullable;

/**
 * What is wrong with one line of a file.
 *
 * @param line counted from 1, a file's header included
 * @param field the field at fault; null if it is the whole line
 * @param detail its first 300 characters, as those of the field: both may repeat what the file holds
 */
public record LineError(long line, @Nullable String field, String detail) {
    private static final int LONGEST = 300;

    public LineError {
        field = field == null ? null : shown(field);
        detail = shown(detail);
    }

    /* Half of a character could not be written as an answer. */
    private static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .limit(LONGEST)
                .map(character -> Character.getType(character) == Character.SURROGATE ? '\uFFFD' : character)
                .forEach(shown::appendCodePoint);
        return shown.toString();
    }
}
