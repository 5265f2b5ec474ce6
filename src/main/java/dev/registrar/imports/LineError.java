package dev.registrar.imports;

import org.jspecify.annotations.Nullable;

/**
 * What is wrong with one line of a file.
 *
 * @param line counted from 1, including the header
 * @param field the field at fault; null if the whole line is
 * @param detail what is wrong; both texts may repeat the file's contents, so they are cut after 300 characters
 */
public record LineError(long line, @Nullable String field, String detail) {
    private static final int LONGEST = 300;

    public LineError {
        field = field == null ? null : shown(field);
        detail = shown(detail);
    }

    /* An unpaired surrogate cannot be encoded in an answer. */
    private static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .limit(LONGEST)
                .map(character -> Character.getType(character) == Character.SURROGATE ? '\uFFFD' : character)
                .forEach(shown::appendCodePoint);
        return shown.toString();
    }
}
