package dev.registrar.imports;

import org.jspecify.annotations.Nullable;

/**
 * An error in one line of a file.
 *
 * @param line counted from 1, including the header
 * @param field the invalid field; null if the error concerns the whole line
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
